using System;
using System.Collections.Generic;
using static System.Math;

namespace Shop.Orders
{
    /// <summary>An order of a customer.</summary>
    [Serializable, Table("orders")]
    public class Order : Entity, IComparable<Order> where T : new()
    {
        private readonly List<Line> lines = new List<Line>();
        public const int Limit = 0x10;
        public string Name { get; set; } = "none";
        public decimal Total => lines.Sum(l => l.Price * l.Count);
        public event EventHandler<string> Changed;

        public Order(string name, int count = 1) : base(name)
        {
            Name = name ?? throw new ArgumentNullException(nameof(name));
        }

        [Obsolete("use AddAsync")]
        public void Add(Line line, params object[] rest)
        {
            if (line == null || lines.Count >= Limit) { return; }
            lines.Add(line);
            Changed?.Invoke(this, $"added {line.Name} at {lines.Count}");
        }

        public async Task<int> AddAsync<T>(T item, CancellationToken token) where T : Line
        {
            await Task.Delay(10, token).ConfigureAwait(false);
            foreach (var l in lines) Console.WriteLine(l);
            for (int i = 0; i < 3; i++) { Add(item); }
            using (var file = File.Open("a.txt", FileMode.Open)) { file.Read(); }
            try { Check(ref item, out var found); }
            catch (IOException e) when (e.Message != null) { throw; }
            finally { Close(); }
            var text = @"verbatim ""quoted"" text" + 'c' + '\n';
            int? maybe = item is Order o ? o.Count : default(int?);
            switch (maybe)
            {
                case 1: Add(item); break;
                default: return -1;
            }
            return lines.Where(x => x.Count > 1).Select((x, i) => x.Count + i).First();
        }
    }

    public enum State { Open, Closed = 2 }
    public interface IStore<in T> { void Put(T item); }
    public struct Point { public int X, Y; }
}
