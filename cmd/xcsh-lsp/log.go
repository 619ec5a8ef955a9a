package main

import (
	"errors"
	"fmt"
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// maxLogSize is where a log file is put aside and begun anew, in bytes: enough
// for weeks of use, small enough to attach to a report.
const maxLogSize = 8 << 20

// openLog logs to standard error and to a file, never to standard output, which
// is the protocol's.
func (p program) openLog(path string, level zapcore.Level) (log *zap.Logger, closeLog func(), err error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLogSize {
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, nil, fmt.Errorf("put the full log file aside: %w", err)
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log file: %w; choose another with --log-file", err)
	}
	encoding := zap.NewProductionEncoderConfig()
	encoding.EncodeTime = zapcore.ISO8601TimeEncoder
	encoder := zapcore.NewConsoleEncoder(encoding)
	log = zap.New(zapcore.NewTee(
		zapcore.NewCore(encoder, zapcore.AddSync(file), level),
		zapcore.NewCore(encoder, zapcore.AddSync(p.stderr), level),
	))
	return log, func() { _ = errors.Join(log.Sync(), file.Close()) }, nil
}
