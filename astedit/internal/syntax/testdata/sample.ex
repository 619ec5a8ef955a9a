defmodule Shop.Order do
  @moduledoc """
  Orders of #{1 + 1} customers.
  """
  use GenServer, restart: :transient
  alias Shop.{Line, Price}
  import Enum, only: [map: 2]
  @limit 10
  defstruct name: nil, lines: [], total: 0

  @doc "Adds a line"
  @spec add(t, Line.t()) :: {:ok, t} | {:error, atom}
  def add(%__MODULE__{lines: lines} = order, line) when length(lines) < @limit do
    {:ok, %{order | lines: [line | lines], total: order.total + line.price}}
  end

  def add(_order, _line), do: {:error, :full}

  defp total(lines, acc \\ 0) do
    lines
    |> Enum.filter(&(&1.count > 0 and not &1.free))
    |> Enum.map(fn %{price: p, count: c} -> p * c end)
    |> Enum.reduce(acc, &+/2)
  end

  def check(value) do
    case value do
      {:ok, n} when n > 1 -> "got #{n}"
      [head | _] -> head
      nil -> :none
    end

    with {:ok, a} <- fetch(:a), b = a + 1, do: b
    if value == 1, do: IO.puts("one"), else: IO.inspect(value, label: "v")
    cond do
      value > 3 -> ~s(sigil #{value})
      true -> ~r/a.*b/i
    end
    for x <- 1..3, y = x * 2, do: {x, y}
    try do
      raise ArgumentError, message: 'chars'
    rescue
      e in RuntimeError -> e.message
    after
      :ok
    end
    receive do
      {:msg, from} -> send(from, <<1, 2::16>>)
    end
  end
end
