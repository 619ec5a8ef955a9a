package shop.orders

import scala.collection.mutable.{Map, ListBuffer => Buf}
import java.util._

/** An order. */
@Entity
case class Order(name: String, count: Int = 1) extends Base(name) with Ordered[Order] {
  private val lines = Buf[Line]()
  var total: Int = 0
  lazy val first = lines.headOption.getOrElse("none")

  def add[T <: Line](line: T)(implicit ctx: Context): Boolean = {
    if (lines.size >= Order.Limit || line == null) return false
    lines += line
    println(s"added ${line.name} to $name")
    line match {
      case Line(p, c) if p > 0 => total += p * c
      case _: Free => total
      case x @ (Some(1) | None) => log(x)
      case _ => throw new IllegalStateException("bad")
    }
    for (l <- lines; n = l.count if n > 1) yield n * 2
    while (total < 3) { total = total + 1 }
    try check(line) catch {
      case e: Exception => e.printStackTrace()
    } finally close()
    lines.map(_.count).filter(c => c > 1).foreach(println)
    val f = (a: Int, b: Int) => a + b
    val pair = (1, "two", 'c', 3.0)
    val text = """raw
      text"""
    !lines.isEmpty && f(1, 2) == 3
  }

  override def compare(that: Order): Int = this.count - that.count
}

object Order {
  val Limit = 10
  def apply(): Order = new Order("none", 0)
}
sealed trait State
case object Open extends State
trait Priced[+A] { def price: Int; type B = A }

// a plain comment
class Text { val a = "one\n two" }
