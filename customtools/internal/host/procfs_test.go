package host

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// isGone reports whether a process has ended, be it that its parent has not
// looked yet.
func isGone(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(status), ") Z ")
}

// skipTo reads until mark has been read.
func skipTo(r io.Reader, mark string) io.Reader {
	seen := ""
	one := make([]byte, 1)
	for !strings.HasSuffix(seen, mark) {
		if _, err := r.Read(one); err != nil {
			break
		}
		seen += string(one)
	}
	return r
}
