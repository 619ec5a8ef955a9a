"""A small module."""
from __future__ import annotations
import os.path as osp, sys
from typing import (Any, Iterable,)

LIMIT: int = 10_000


@dataclass(frozen=True)
class Job(Base, metaclass=Meta):
    name: str = "job"

    @property
    async def done(self, *args, key=None, **kw) -> bool:
        async with self.lock as held, open(f"{self.name!r:>{LIMIT}}.txt", "rb") as fh:
            return not held and [x ** 2 async for x in fh if x % 2 == 0] != []

    def run(self, jobs: Iterable[Job], /, *, deep: bool = False) -> dict[str, Any]:
        global LIMIT
        try:
            out = {j.name: lambda v=j: v.run([], deep=True) for j in jobs}
        except (KeyError, ValueError) as err:
            raise RuntimeError("bad \n job") from err
        else:
            LIMIT += 1 if deep else -1
        finally:
            print(*out, sep=", ", file=sys.stderr)
        match out:
            case {"a": [1, *rest], **others} if rest: pass
            case Job(name=n) | str(n): return {n: rest[1:-1:2]}
            case _: ...
        while (n := len(out)) > 3 and out is not None or n not in (1, 2):
            del out["x"]; n <<= 2; break
        else:
            assert 0 <= n < 5, b"bytes" r"raw\d"
        return {**out, "set": {1, 2.5, 3j}}
