@file:JvmName("Orders")
package shop.orders

import kotlin.math.max
import java.util.*

/** An order. */
@Serializable
data class Order(val name: String, var count: Int = 1) : Entity(name), Comparable<Order> {
    private val lines = mutableListOf<Line>()
    val total: Int
        get() = lines.sumOf { it.price * it.count }

    companion object {
        const val LIMIT = 10
        @JvmStatic fun empty(): Order = Order("none", 0)
    }

    init {
        require(count >= 0) { "negative count: $count" }
    }

    override fun compareTo(other: Order): Int = count - other.count

    suspend fun <T : Line> add(line: T, vararg rest: Line): Boolean {
        if (lines.size >= LIMIT || line == null) return false
        lines.add(line)
        println("added ${line.name} to $name")
        when (val n = line.count) {
            0 -> return false
            7 -> log(n)
            is Int -> log("int")
            else -> throw IllegalStateException("bad")
        }
        for ((i, l) in lines.withIndex()) { println(i + l.count) }
        while (count < 3) count++
        val first = lines.firstOrNull()?.name ?: "empty"
        val f = fun(a: Int, b: Int): Int { return a + b }
        try {
            check(first!!.isNotEmpty())
        } catch (e: Exception) {
            e.printStackTrace()
        } finally {
            close()
        }
        lines.map { l -> l.count }.filter { it > 1 }.forEach(::println)
        val text = """
            raw $name
        """.trimIndent()
        return first != text && !lines.isEmpty()
    }
}

sealed class State { object Open : State(); class Closed(val at: Long) : State() }
enum class Color(val rgb: Int) { RED(0xff), GREEN(2) }
fun String.shout() = uppercase() + '!'
typealias Names = List<String>
