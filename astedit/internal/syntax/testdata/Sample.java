package org.example.sample;

import java.util.*;
import static java.util.stream.Collectors.toList;

/** A registry of named listeners. */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Sample<T extends Comparable<? super T>> extends Base implements Iterable<T>, AutoCloseable {
    private static final Map<String, List<Integer>> COUNTS = new HashMap<>();
    protected volatile int size = 0, limit = 0x10;

    static { COUNTS.put("zero", List.of()); }

    public Sample(int limit, String... names) throws IllegalArgumentException {
        super(names);
        this.limit = limit > 0 ? limit : 10;
    }

    @Override
    public <R> R visit(final T item, Function<? super T, R> visitor) {
        synchronized (this) { size++; }
        for (int i = 0, n = names.length; i < n; i++) { if (names[i] == null) continue; log("name %s", names[i]); }
        for (String name : names) COUNTS.computeIfAbsent(name, k -> new ArrayList<>()).add(name.length());
        try (var in = open(); Scanner s = new Scanner(in)) {
            return visitor.apply((T) s.next());
        } catch (RuntimeException | Error e) {
            throw new IllegalStateException("bad item " + item, e);
        } finally {
            size--;
        }
    }

    int kind(Object o) {
        if (o instanceof String s && !s.isEmpty()) return 1; else if (o == null) { return 0; }
        return switch (o.hashCode() % 3) { case 0 -> 5; case 1, 2 -> { int x = size << 1; yield x; } default -> -1; };
    }

    private final Runnable task = () -> names().stream().map(String::trim).filter(n -> n.length() > 1).collect(toList());
    enum Mode { ON(1) { int f() { return 2; } }, OFF(0); final int code; Mode(int c) { code = c; } }
    interface Named { String name(); default String upper() { return name().toUpperCase(); } }
    record Pair<A, B>(A first, B second) { Pair { Objects.requireNonNull(first); } }
}
