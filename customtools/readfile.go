package customtools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxReadBytes is the largest file that is read before anything is trusted:
// more than any tool or registry has, and too little to use the memory up.
const maxReadBytes = 32 << 20

// readRegular reads a file that a workspace may have chosen: it reads no pipe,
// which could make it wait for ever, no device, and no more than maxReadBytes.
func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReadBytes+1))
	if err == nil && len(text) > maxReadBytes {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than %d bytes", maxReadBytes)}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file")}
	}
	return os.Open(path)
}
