package localsocket_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/localsocket"
)

const workspace = "/home/me/project"

// clientVariable makes this test's program a client of the socket that it names.
const clientVariable = "XCSH_TEST_SOCKET"

func TestMain(m *testing.M) {
	path := os.Getenv(clientVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		fmt.Print(err)
		os.Exit(1)
	}
	heard, _ := io.ReadAll(conn) // a reset says as little as an end
	fmt.Printf("connected, and heard %q", heard)
}

// state is a state folder whose path is short enough for a socket.
func state(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "xs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// listen opens a socket whose server says name to each client.
func listen(t *testing.T, root, name string) *localsocket.Listener {
	t.Helper()
	l, err := localsocket.Listen(root, workspace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, name)
			conn.Close()
		}
	}()
	return l
}

func dial(t *testing.T, root string) (string, error) {
	t.Helper()
	conn, err := localsocket.Dial(context.Background(), root, workspace)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	said, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(said), nil
}

func wantServer(t *testing.T, root, want string) {
	t.Helper()
	if got, err := dial(t, root); err != nil || got != want {
		t.Errorf("connected to %q, %v; want %q", got, err, want)
	}
}

func TestTheServerUsedLastIsFound(t *testing.T) {
	root := state(t)
	if _, err := dial(t, root); !errors.Is(err, localsocket.ErrNone) {
		t.Errorf("without a server: %v", err)
	}
	one, two := listen(t, root, "one"), listen(t, root, "two")
	now := time.Now()
	for _, step := range []struct {
		active *localsocket.Listener
		want   string
	}{{one, "one"}, {two, "two"}, {one, "one"}} {
		now = now.Add(time.Second)
		if err := step.active.Active(now); err != nil {
			t.Fatal(err)
		}
		wantServer(t, root, step.want)
	}
	one.Close()
	wantServer(t, root, "two")
	if _, err := os.Lstat(one.Path()); !os.IsNotExist(err) {
		t.Errorf("a closed socket is still there: %v", err)
	}
	if _, err := localsocket.Dial(context.Background(), root, workspace+"/other"); !errors.Is(err, localsocket.ErrNone) {
		t.Errorf("another workspace: %v", err)
	}
}

// A server that was killed leaves its socket.
func TestAStaleSocketIsPassedOverAndRemoved(t *testing.T) {
	root := state(t)
	l := listen(t, root, "alive")
	stale := strings.Replace(l.Path(), filepath.Base(l.Path()), strings.SplitN(filepath.Base(l.Path()), "-", 2)[0]+"-gone00.sock", 1)
	dead, err := net.Listen("unix", stale)
	if err != nil {
		t.Fatal(err)
	}
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	dead.Close()
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(stale, later, later); err != nil {
		t.Fatal(err)
	}
	wantServer(t, root, "alive")
	if _, err := os.Lstat(stale); !os.IsNotExist(err) {
		t.Errorf("the stale socket is still there: %v", err)
	}
}

func TestOnlyTheUserCanOpenTheSocket(t *testing.T) {
	l := listen(t, state(t), "mine")
	for path, want := range map[string]os.FileMode{l.Path(): 0o600, filepath.Dir(l.Path()): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", path, info.Mode().Perm(), err)
		}
	}
}

// Whoever gets past the folder is asked for by the system.
func TestAnotherUserIsHungUpOn(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	root := state(t)
	l := listen(t, root, "secret")
	for path, mode := range map[string]os.FileMode{root: 0o755, filepath.Dir(l.Path()): 0o755, l.Path(): 0o666} {
		if err := os.Chmod(path, mode); err != nil { // as if somebody had opened it
			t.Fatal(err)
		}
	}
	client := filepath.Join(root, "client")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Skip("this test's own program cannot be copied for the other user")
	}
	if err := os.WriteFile(client, self, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(client)
	cmd.Dir, cmd.Env = "/", []string{clientVariable + "=" + l.Path()}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "connected, and heard \"\"" {
		t.Errorf("another user: %q, %v", out, err)
	}
	wantServer(t, root, "secret")
}

func TestATooLongPathIsSaid(t *testing.T) {
	root := filepath.Join(state(t), strings.Repeat("d", 80))
	if _, err := localsocket.Listen(root, workspace); err == nil || !strings.Contains(err.Error(), "XDG_STATE_HOME") {
		t.Errorf("got %v", err)
	}
}

// A client that looks while a server opens its socket must not take it for a stale one.
func TestASocketThatOpensIsNotRemoved(t *testing.T) {
	root := state(t)
	stop := make(chan struct{})
	var looking sync.WaitGroup
	for range 4 {
		looking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if conn, err := localsocket.Dial(context.Background(), root, workspace); err == nil {
					conn.Close()
				}
			}
		})
	}
	for i := range 500 {
		l, err := localsocket.Listen(root, workspace)
		if err != nil {
			t.Errorf("server %d: %v", i, err)
			break
		}
		if _, err := os.Lstat(l.Path()); err != nil {
			t.Errorf("server %d has lost its socket: %v", i, err)
		}
		l.Close()
	}
	close(stop)
	looking.Wait()
}
