package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"parley/internal/sharedfile"
)

const (
	// cacheName is the file with the summaries of a folder.
	cacheName = ".catalog.json"
	// cacheVersion grows when summaries of the same file change.
	cacheVersion = 3
	// maxCache is the longest cache that is read, in bytes.
	maxCache = 32 << 20
	// A file of at least longFile bytes that is still being written is read again when it has grown
	// by one part in growth: otherwise each look would read all of it.
	longFile = 4 << 20
	growth   = 8
)

// A cache is the summaries of the files of a folder, by their names.
type cache struct {
	Version int               `json:"version"`
	Files   map[string]cached `json:"files"`
	changed bool
}

// cached is the summary of a file of that size and time.
type cached struct {
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	Summary  Summary   `json:"summary"`
}

// fits reports whether the summary says what is in the session, or nearly so while it is written.
func (e *cached) fits(s *Session) bool {
	if e.Size == s.Size && e.Modified.Equal(s.Modified) {
		return true
	}
	return s.Held && e.Size >= longFile && s.Size >= e.Size && s.Size-e.Size < e.Size/growth
}

// cached returns the cached summary of a session, nil if none is cached that fits it.
func (c *Catalog) cached(s *Session) *Summary {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.read().Files[filepath.Base(s.Path)]
	if !ok || !entry.fits(s) {
		return nil
	}
	return &entry.Summary
}

// read reads the cache, once; the caller holds c.mu. Anything unusable is an empty cache.
func (c *Catalog) read() *cache {
	if c.cache != nil {
		return c.cache
	}
	c.cache = loadCache(filepath.Join(c.dir, cacheName))
	return c.cache
}

func loadCache(path string) *cache {
	read := &cache{}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= maxCache {
		if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, read) != nil || read.Version != cacheVersion {
			read = &cache{}
		}
	}
	if read.Files == nil {
		read.Files = map[string]cached{}
	}
	read.Version = cacheVersion
	return read
}

// remember adds the summary of a session.
func (c *Catalog) remember(s *Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := c.read()
	files.Files[filepath.Base(s.Path)] = cached{s.Size, s.Modified, *s.Summary}
	files.changed = true
}

// save writes the cache if it has changed, without the files that are gone, and with what
// another Parley has added. Without it, the next run reads the files again.
func (c *Catalog) save() {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := c.read()
	if !files.changed {
		return
	}
	path := filepath.Join(c.dir, cacheName)
	unlock, err := sharedfile.Lock(path + ".lock")
	if err != nil {
		return
	}
	defer unlock()
	for name, entry := range loadCache(path).Files {
		if _, known := files.Files[name]; !known {
			files.Files[name] = entry
		}
	}
	for name := range files.Files {
		if _, err := os.Lstat(filepath.Join(c.dir, name)); err != nil {
			delete(files.Files, name)
		}
	}
	if data, err := json.Marshal(files); err == nil && sharedfile.Replace(path, data) == nil {
		files.changed = false
	}
}
