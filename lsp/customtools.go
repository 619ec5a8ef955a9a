package lsp

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// How long the tools together may take to hear that the session begins, which
// a first list of the tools waits for, and that it ends.
const (
	toolsGreeting = 5 * time.Second
	// toolsShutdown and what it takes to end a tool that hangs (a second at most)
	// fit into the 2 s in which a server ends whose client is gone.
	toolsShutdown = 800 * time.Millisecond
)

// CustomTools is what tools that are not built in need of the program.
type CustomTools struct {
	// NewRuntime makes the runtime that runs modules. Nil: none can be loaded.
	NewRuntime func(RuntimeChoice) customtools.Runtime
	// Code returns all that would run for a module; see [customtools.NewTrust].
	Code func(module string) ([]byte, error)

	Paths      []string // --tool
	PluginDirs []string // --plugin-dir
	Trust      bool     // --trust
	// Direct are tools of the program itself.
	Direct []customtools.Tool
}

// RuntimeChoice says which program is to run modules.
type RuntimeChoice struct {
	Setting string // customTools.runtime
	Editor  string // customTools.editorRuntime; "" for none
	// Allowed reports whether a program may be run as the runtime.
	Allowed func(path string) bool
	// Log takes what belongs to no module. It does not block.
	Log func(customtools.LogEntry)
}

// toolbox loads the custom tools of a workspace, and holds them.
type toolbox struct {
	workspace *Workspace
	cfg       CustomTools
	trust     *customtools.Trust
	onlyLists bool // there is no session to tell the tools of, nor to stage in
	log       *toolLog
	losses    *losses

	loading    sync.Mutex // held for the time of a load
	once       bool       // something has been loaded; guarded by loading
	loadedFrom []string   // Workspace.toolsFrom of that time
	choice     [2]string  // of the runtime: the setting and the editor's program
	runtime    customtools.Runtime
	loader     *customtools.Loader
	loaded     customtools.Loaded

	mu         sync.Mutex
	allowed    string // the runtime inside the workspace that may be run
	trustedAll bool
	question   *customtools.TrustQuestion // that nobody has answered
	asking     bool
	errors     []customtools.LoadError // of the last load
	shownBy    map[*surfaces]bool
	reloading  bool     // a load is coming since files have changed
	folders    []string // that the last load was for
	watched    []string // files that it depended on
}

func newToolbox(w *Workspace) *toolbox {
	return &toolbox{
		workspace: w, cfg: w.cfg.CustomTools, log: newToolLog(w.cfg), losses: &losses{workspace: w}, shownBy: map[*surfaces]bool{},
		trust: customtools.NewTrust(customtools.TrustAsk, customtools.NewTrustStore(w.cfg.StateRoot), w.cfg.CustomTools.Code),
	}
}

// ensure loads the tools where that has not been done yet.
func (b *toolbox) ensure() {
	b.loading.Lock()
	defer b.loading.Unlock()
	if !b.once {
		b.load()
	}
}

// joined is called when a client has joined: the first one has the tools
// loaded, and each may be the human who can be asked.
func (b *toolbox) joined() {
	b.ensure()
	b.ask()
	b.setUI()
}

// setUI tells the tools whether a human can be asked.
func (b *toolbox) setUI() {
	b.loading.Lock()
	defer b.loading.Unlock()
	if b.runtime != nil {
		b.runtime.SetUI(b.workspace.human() != nil)
	}
}

// changed loads the tools again, in the background, where they were loaded for
// other folders or settings.
func (b *toolbox) changed() {
	b.workspace.work.Go(func() {
		b.loading.Lock()
		defer b.loading.Unlock()
		w := b.workspace
		w.mu.Lock()
		from := w.toolsFrom()
		w.mu.Unlock()
		// A load that began after the change was for these already.
		if b.once && w.life.Err() == nil && !slices.Equal(from, b.loadedFrom) {
			b.load()
		}
	})
}

// refresh has the registry describe the tools as they are now.
func (b *toolbox) refresh(ctx context.Context) {
	b.loading.Lock()
	defer b.loading.Unlock()
	if !b.once {
		b.load()
		return
	}
	_, errors := b.workspace.loaded.Loaded()
	b.workspace.loaded.Set(b.loaded.Registered(ctx), errors)
}

// reload evaluates every module anew.
func (b *toolbox) reload() {
	b.loading.Lock()
	defer b.loading.Unlock()
	b.load()
}

// load is called with b.loading held. It does not wait for the answer whether
// the workspace is trusted, and goes on when the command that asked for it is
// cancelled: half a load helps nobody.
func (b *toolbox) load() {
	w := b.workspace
	ctx := w.life
	w.mu.Lock()
	folders, settings, from := w.folders, w.settings, w.toolsFrom()
	w.mu.Unlock()
	switched := b.once && !slices.Equal(b.loadedFolders(), pathsOf(folders))
	b.once, b.loadedFrom = true, from
	if b.cfg.NewRuntime == nil && len(b.cfg.Direct) == 0 || !settings.CustomTools {
		b.close()
		w.loaded.Set(nil, nil)
		b.loadFailed(nil)
		return
	}
	b.useRuntime(settings.CustomToolRuntime, settings.CustomToolEditor)
	found := b.discover(folders, settings)
	loaded := b.loader.Load(ctx, found.Paths)
	b.loaded = loaded
	b.watch(pathsOf(folders), filesOf(found, b.loader))
	failed := slices.Concat(found.Errors, loaded.Errors)
	w.loaded.Set(loaded.Registered(ctx), loadErrors(failed))
	b.loadFailed(failed)
	for _, warning := range found.Warnings {
		w.log.Warn("custom tools", zap.String("warning", warning))
	}
	for _, e := range failed {
		w.log.Warn("Custom tool load failed", zap.String("path", e.Path), zap.String("error", e.Error))
	}
	if b.onlyLists {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, toolsGreeting)
	defer cancel()
	toolContext := customtools.ToolContext{HasUI: w.human() != nil}
	loaded.Fresh().Session(ctx, customtools.SessionEvent("start"), toolContext)
	if switched {
		// The results of a workspace stay in one file, whatever folders it has.
		loaded.Session(ctx, customtools.SwitchEvent(w.history().File()), toolContext)
	}
}

// filesOf are the files that a load depended on.
func filesOf(found customtools.Discovery, loader *customtools.Loader) []string {
	files := slices.Concat(found.Project, loader.Inputs())
	for _, p := range found.Paths {
		files = append(files, p.Path)
	}
	return files
}

func loadErrors(list []customtools.LoadError) []resolve.ToolLoadError {
	var errors []resolve.ToolLoadError
	for _, e := range list {
		errors = append(errors, e.ToolLoadError)
	}
	return errors
}

// useRuntime makes the runtime and its loader, where there is none for this
// choice. What the old one held is lost.
func (b *toolbox) useRuntime(setting, editor string) {
	choice := [2]string{setting, editor}
	if b.loader != nil && b.choice == choice {
		return
	}
	b.close()
	cfg := b.workspace.cfg
	b.choice = choice
	if b.cfg.NewRuntime != nil {
		b.runtime = b.cfg.NewRuntime(RuntimeChoice{Setting: setting, Editor: editor, Allowed: b.mayRun, Log: (&toolHost{workspace: b.workspace}).Log})
		b.runtime.SetUI(b.workspace.human() != nil)
	}
	b.loader = customtools.NewLoader(customtools.LoaderConfig{
		Runtime: b.runtime, Host: &toolHost{workspace: b.workspace}, CanStage: !b.onlyLists, Home: cfg.Home,
		BuiltIns: []string{astedit.ToolName, resolve.ToolName}, Direct: b.cfg.Direct,
	})
}

// mayRun keeps a program that lies in the workspace from being run as the
// runtime before the workspace is trusted.
func (b *toolbox) mayRun(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.trustedAll || path == b.allowed || !customtools.InsideFolders(path, pathsOf(b.workspace.currentFolders()))
}

// discover lists the modules, those of the workspace where it is trusted.
func (b *toolbox) discover(folders []folder, settings Settings) customtools.Discovery {
	cfg := b.workspace.cfg
	where := customtools.DiscoverConfig{
		Folders: pathsOf(folders), Cwd: cfg.Home,
		Environment: customtools.NewEnvironment(cfg.Getenv, runtime.GOOS, cfg.Home),
		Configured:  slices.Concat(settings.CustomToolPaths, b.cfg.Paths), PluginDirs: b.cfg.PluginDirs,
		DisabledProviders: settings.DisabledProviders, DisabledExtensions: settings.DisabledExtensions,
	}
	if b.cfg.NewRuntime == nil {
		return customtools.Discovery{}
	}
	found := customtools.Discover(where, true)
	if b.isTrusted(where.Folders, settings, found.Project) {
		b.trust.Pin(found.Paths)
		return found
	}
	return customtools.Discover(where, false)
}

// isTrusted looks whether the workspace is trusted, and keeps the question
// where that is open.
func (b *toolbox) isTrusted(folders []string, settings Settings, project []string) bool {
	mode := customtools.ParseTrustMode(settings.Trusted)
	if b.cfg.Trust {
		mode = customtools.TrustAlways
	}
	b.trust.SetMode(mode)
	own := ""
	if filepath.IsAbs(settings.CustomToolRuntime) && customtools.InsideFolders(settings.CustomToolRuntime, folders) {
		own = settings.CustomToolRuntime
		project = append(slices.Clone(project), own)
	}
	workspace := ""
	if len(folders) > 0 {
		workspace = folders[0]
	}
	trusted, question, err := b.trust.Check(workspace, project)
	if err != nil {
		b.workspace.log.Warn("trust", zap.Error(err))
	}
	b.mu.Lock()
	b.trustedAll = mode == customtools.TrustAlways
	b.allowed = ""
	if trusted {
		b.allowed = own
	}
	b.question = question
	b.mu.Unlock()
	b.ask()
	return trusted
}

// close ends the tools: they hear of it, and have a bounded time.
func (b *toolbox) close() {
	ctx, cancel := context.WithTimeout(context.Background(), toolsShutdown)
	defer cancel()
	if !b.onlyLists {
		b.loaded.Session(ctx, customtools.SessionEvent("shutdown"), customtools.ToolContext{})
	}
	b.loaded = customtools.Loaded{}
	if b.runtime != nil {
		if err := b.runtime.Close(); err != nil {
			b.workspace.log.Warn("close the tools' runtime", zap.Error(err))
		}
	}
	b.runtime, b.loader = nil, nil
}

// stop closes the toolbox for good.
func (b *toolbox) stop() {
	b.loading.Lock()
	defer b.loading.Unlock()
	b.once = true
	b.close()
	b.losses.close()
	b.log.close()
}

func pathsOf(folders []folder) []string {
	var paths []string
	for _, f := range folders {
		paths = append(paths, f.path)
	}
	return paths
}
