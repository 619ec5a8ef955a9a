# frozen_string_literal: true
require 'json'
require_relative "base"

module Shop
  # An order
  class Order < Base
    include Comparable
    attr_reader :name, :lines
    LIMIT = 10
    @@count = 0

    def initialize(name = 'none', *rest, key: 1, **opts, &block)
      super(name)
      @name, @lines = name, []
      @opts = { a: 1, 'b' => 2, :c => nil }
    end

    def add(line)
      return false if line.nil? || @lines.size >= LIMIT
      raise ArgumentError, "no price: #{line.name} at #{@lines.size}" unless line.price
      @lines << line
      puts "added #{line}"
      self
    end

    def total
      @lines.select { |l| l.price > 0 }.map(&:price).inject(0) do |sum, p|
        sum + p
      end
    end

    def <=>(other)
      total <=> other.total
    end

    def self.build(*args) = new(*args)

    private

    def check(value)
      case value
      when Integer, Float then value * 2
      when /a.*b/i then :match
      else nil
      end
      if value > 1 and not value.zero?
        yield value
      elsif value == 1
        value += 1
      else
        value&.abs
      end
      while value < 3 do value += 1 end
      begin
        Integer(value)
      rescue TypeError, ArgumentError => e
        warn e.message
        retry
      ensure
        done
      end
      x = value ? 'yes' : "no"
      words = %w[one two three]
      syms = %i[a b]
      text = <<~HEREDOC
        Dear #{@name},
        bye
      HEREDOC
      f = ->(a, b = 2) { a ** b }
      f.call(1) + words[0..1].size - syms.first.length
      `ls #{x}`
    end
  end
end
puts Shop::Order.build("x").add(1) if __FILE__ == $0
