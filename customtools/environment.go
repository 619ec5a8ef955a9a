package customtools

import (
	"os"
	"path/filepath"
)

const (
	projectConfigDir     = ".xcsh" // whatever PI_CONFIG_DIR says
	defaultUserConfigDir = ".xcsh"
	pluginDataDir        = "xcsh" // in $XDG_DATA_HOME
)

// Environment is what discovery takes from the user's session.
type Environment struct {
	Home      string // absolute
	ConfigDir string // below Home; PI_CONFIG_DIR, or its default
	// PluginData is $XDG_DATA_HOME where that counts: on Unix, with the agent
	// directory at its default. Empty elsewhere.
	PluginData string
}

// NewEnvironment reads the variables through env, for the system goos (as
// [runtime.GOOS]).
func NewEnvironment(env func(string) string, goos, home string) Environment {
	e := Environment{Home: home, ConfigDir: env("PI_CONFIG_DIR")}
	if e.ConfigDir == "" {
		e.ConfigDir = defaultUserConfigDir
	}
	if data := env("XDG_DATA_HOME"); goos != "windows" && filepath.IsAbs(data) && env("PI_CODING_AGENT_DIR") == "" {
		e.PluginData = data
	}
	return e
}

// userConfig is a path in the user's configuration directory.
func (e Environment) userConfig(elem ...string) string {
	return filepath.Join(append([]string{e.Home, filepath.FromSlash(e.ConfigDir)}, elem...)...)
}

// pluginHome is where plugin packages are installed.
func (e Environment) pluginHome() string {
	if e.PluginData != "" {
		own := filepath.Join(e.PluginData, pluginDataDir)
		if isDir(own) {
			return filepath.Join(own, "plugins")
		}
	}
	return e.userConfig("plugins")
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
