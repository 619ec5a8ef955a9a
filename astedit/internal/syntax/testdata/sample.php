<?php
declare(strict_types=1);
namespace Shop\Orders;

use Shop\Line;
use function count, array_map;

/** An order. */
#[Entity(table: "orders")]
abstract class Order extends Base implements \Countable, HasName
{
    use Loggable;
    private const LIMIT = 10;
    private array $lines = [];
    public static ?string $last = null;

    public function __construct(private string $name = 'none', int ...$rest)
    {
        parent::__construct($name);
        $this->lines = array(1, 2, 'key' => "value $name and {$this->name}\n");
    }

    public function add(?Line $line, int &$count = 1): bool|int
    {
        if ($line === null || count($this->lines) >= self::LIMIT) {
            throw new \RuntimeException('full: ' . count($this->lines));
        } elseif (!isset($line->price)) {
            return false;
        } else {
            $this->lines[] = $line;
        }
        foreach ($this->lines as $key => $value) {
            echo $key, $value->name ?? 'none', PHP_EOL;
        }
        for ($i = 0; $i < 3; $i++) { $count += $i; }
        while ($count > 1) $count--;
        switch ($count) {
            case 1: $this->log(1); break;
            default: $this->log(...$this->lines);
        }
        $total = array_map(fn($l) => $l->price * $l->count, $this->lines);
        $f = function ($a, $b) use ($total) { return $a <=> $b; };
        try { $line?->check(); } catch (\Exception | Error $e) { print $e->getMessage(); } finally { $f(1, 2); }
        return match(true) { $count > 1 => 1, default => 0 };
    }

    abstract protected function total(): float;
}

function helper(array $a) { return static fn() => [...$a, 'x' => (int) "5"]; }
$text = <<<END
Dear $name,
goodbye {$a['b']}
END;
$raw = <<<'RAW'
nothing $here
RAW;
?>
<p><?= $text ?></p>
<?php if ($a): ?>yes<?php endif; ?>
