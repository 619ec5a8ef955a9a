package localsocket

import (
	"net"
	"os"
	"syscall"
)

// sameUser reports whether the process at the other end runs as this one's user
// (SO_PEERCRED), or as root, from whom nothing can be kept.
func sameUser(conn net.Conn) bool {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return false
	}
	var peer *syscall.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		peer, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	return err == nil && failed == nil && (int(peer.Uid) == os.Getuid() || peer.Uid == 0)
}
