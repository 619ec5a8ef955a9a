import Foundation

/// An order.
@objc public class Order: Entity, Comparable {
    private var lines: [Line] = []
    static let limit = 10
    let name: String?
    var total: Int { lines.reduce(0) { $0 + $1.price } }
    lazy var map: [String: Int] = ["a": 1, "b": 2]

    init(name: String? = nil, count: Int...) {
        self.name = name
        super.init()
    }

    @discardableResult
    func add<T: Line>(_ line: T, to index: Int = 0) throws -> Bool where T: Equatable {
        guard lines.count < Order.limit, let first = lines.first else { return false }
        if line.price > 0 && !line.free {
            lines.append(line)
        } else if first == line {
            throw OrderError.full(lines.count)
        }
        print("added \(line.name) at \(index)", terminator: "\n")
        switch line.count {
        case 0: return false
        case 1...3, 5: log(1)
        case let n where n > 9: log(n)
        default: break
        }
        for (i, l) in lines.enumerated() where i > 0 { print(i, l) }
        while index < 3 { step() }
        do {
            try check(line)
        } catch let error as OrderError {
            print(error)
        }
        let doubled = lines.map { $0.count * 2 }.filter { c in c > 1 }
        let label = name ?? "none", t = (1, "two")
        let text = """
            raw \(label)
            """
        return name != nil ? doubled.isEmpty : text == label
    }

    static func < (a: Order, b: Order) -> Bool { return a.total < b.total }
}

enum OrderError: Error { case full(Int), empty }
struct Point<T> { var x, y: T }
protocol Priced { var price: Int { get } }
extension Order: Priced { var price: Int { return total } }
