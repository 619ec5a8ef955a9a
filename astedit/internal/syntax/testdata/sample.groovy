package shop.orders

import groovy.transform.ToString
import static java.lang.Math.max

// An order
@ToString
class Order extends Entity {
    private final List lines = []
    static int limit = 10
    String name = 'none'

    def add(line, int count = 1) {
        if (lines.size() >= limit) {
            throw new IllegalStateException("full: ${lines.size()}")
        }
        lines << line
        println "added $line"
        return this
    }

    int total() {
        lines.size() * limit
    }
}

def config = [name: 'app', ports: [80, 443]]
for (p in config.ports) {
    println p
}
def order = new Order()
order.add('a', 2)
try {
    order.add(null)
} catch (Exception e) {
    println e.message
} finally {
    order = null
}
def text = """several
lines ${order?.name}"""
plugins {
    id 'java'
    id 'application'
}
dependencies {
    implementation 'org.a:b:1.0'
    testImplementation "junit:junit:4.13"
}
