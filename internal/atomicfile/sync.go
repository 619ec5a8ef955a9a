package atomicfile

import "sync"

// syncedAtOnce is how many files or folders are forced to disk at once. The system
// makes one commit of its journal for all that wait, so the last of many costs little
// more than the first; beyond some tens there is nothing left to win.
const syncedAtOnce = 32

// syncAll calls force for all paths, several at once, and returns an error with the
// path that it is about, of several the first. All calls have ended when it returns.
func syncAll(paths []string, force func(path string) error) (failed string, err error) {
	errs := make([]error, len(paths))
	var all sync.WaitGroup
	places := make(chan struct{}, syncedAtOnce)
	for i, path := range paths {
		places <- struct{}{}
		all.Go(func() {
			errs[i] = force(path)
			<-places
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return paths[i], err
		}
	}
	return "", nil
}
