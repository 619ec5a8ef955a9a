package host

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// child is a runtime that runs, or did.
type child struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it has ended and been waited for
}

// launch starts a runtime and returns it with the connection that it made. dir
// is a private folder, which holds the socket.
func launch(ctx context.Context, rt jsruntime.Runtime, dir, cwd string, output io.Writer) (*child, net.Conn, error) {
	script, err := writeScripts(dir)
	if err != nil {
		return nil, nil, err
	}
	listener, address, err := listen(dir)
	if err != nil {
		return nil, nil, err
	}
	defer listener.Close()
	token := rand.Text()

	name, args := commandLine(rt, script)
	cmd := exec.Command(name, args...)
	// Not in a folder of the workspace: Bun and Deno read settings from where
	// they are started, and some of those run code.
	cmd.Dir = dir
	cmd.Env = environment(rt, map[string]string{
		"XCSH_TOOLHOST_ADDRESS": address,
		"XCSH_TOOLHOST_TOKEN":   token,
		"XCSH_TOOLHOST_CWD":     cwd,
	})
	cmd.Stdout, cmd.Stderr = output, output
	cmd.WaitDelay = closeTimeout // a child that left the group may hold the output open
	lead(cmd)
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", rt.Path, err)
	}

	c := &child{cmd: cmd, exited: make(chan struct{})}
	conn, err := c.connected(ctx, listener, token, dir)
	if err != nil {
		killGroup(cmd)
		<-c.exited
		return nil, nil, fmt.Errorf("%s did not connect: %w", rt.Path, err)
	}
	return c, conn, nil
}

// connected waits until the runtime has connected, or has ended.
func (c *child) connected(ctx context.Context, listener net.Listener, token, dir string) (net.Conn, error) {
	ctx, timeout := context.WithTimeout(ctx, startTimeout)
	defer timeout()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		_ = c.cmd.Wait() // its state says how it ended
		close(c.exited)
		cancel(fmt.Errorf("it ended: %v", c.cmd.ProcessState))
	}()
	if err := joinWorker(dir); err != nil { // meanwhile the runtime starts
		return nil, err
	}
	return accept(ctx, listener, token)
}

func commandLine(rt jsruntime.Runtime, script string) (string, []string) {
	switch rt.Kind {
	case jsruntime.Deno:
		return rt.Path, []string{"run", "--allow-all", "--no-config", "--no-lock", "--quiet", script}
	case jsruntime.Bun:
		return rt.Path, []string{"--no-install", script}
	}
	return rt.Path, []string{script}
}

// environment is the program's own, without what would load code into the
// runtime before ours: a debugger's hook in an editor's terminal, say.
func environment(rt jsruntime.Runtime, ours map[string]string) []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == "NODE_OPTIONS" || name == "BUN_OPTIONS" || name == "ELECTRON_RUN_AS_NODE" || strings.HasPrefix(name, "XCSH_TOOLHOST_")
	})
	if rt.AsNode {
		env = append(env, "ELECTRON_RUN_AS_NODE=1")
	}
	for name, value := range ours {
		env = append(env, name+"="+value)
	}
	return env
}

// listen opens what the process connects to: a socket in dir, or a port of
// this machine where programs do not reach such sockets.
func listen(dir string) (net.Listener, string, error) {
	if runtime.GOOS == "windows" {
		return listenLocal()
	}
	path := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, "", fmt.Errorf("open the tool host's socket: %w", err)
	}
	return listener, path, nil
}

func listenLocal() (net.Listener, string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("open the tool host's port: %w", err)
	}
	return listener, strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), nil
}

// accept returns the first connection that knows the token. What a stranger
// sends is not answered.
func accept(ctx context.Context, listener net.Listener, token string) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	for {
		conn, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, err
		}
		if err := authenticate(conn, token); err == nil {
			return conn, nil
		}
		_ = conn.Close()
	}
}

func authenticate(conn net.Conn, token string) error {
	if err := conn.SetReadDeadline(time.Now().Add(startTimeout)); err != nil {
		return err
	}
	said := make([]byte, len(token)+1)
	if _, err := io.ReadFull(conn, said); err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(said, []byte(token+"\n")) != 1 {
		return errors.New("wrong token")
	}
	return conn.SetReadDeadline(time.Time{})
}
