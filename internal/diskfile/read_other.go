//go:build !unix

package diskfile

import (
	"bytes"
	"os"
)

// ReadInto returns the content of the file at path, in buffer's memory where that
// is large enough. Errors are those of os.ReadFile, as *fs.PathError.
func ReadInto(path string, buffer []byte) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	into := bytes.NewBuffer(buffer[:0])
	if _, err := into.ReadFrom(file); err != nil {
		return nil, err
	}
	return into.Bytes(), nil
}
