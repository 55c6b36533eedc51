package outlet

import (
	"errors"
	"io/fs"
	"os"
)

// PrivateFolder creates a folder, and those above it, which only its owner can list. One that exists
// stays as it is.
func PrivateFolder(dir string) error { return os.MkdirAll(dir, 0o700) }

// Create creates a file that grows. The error is [fs.ErrExist] if there is a file of that name.
func Create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, mode)
}

// Append opens a file to read it and to write at its end, and creates it if it does not exist. Others may
// append at the same time. It refuses what is no regular file, such as a pipe, which would block.
func Append(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is not a regular file")}
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, mode)
}

// Overwrite opens a file of which nothing is kept, or something that is no regular file, such as a pipe,
// which stays what it is.
func Overwrite(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
}

// Temporary writes a file for another program, with a new name in a folder, or in the system's folder for
// temporary files if that is empty. The name follows a pattern as that of [os.CreateTemp] does. The
// caller removes the file.
func Temporary(dir, pattern, text string) (name string, err error) {
	file, err := os.CreateTemp(dir, pattern) // which has that mode
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// Try reports why nothing can be written to a folder, nil if something can. It leaves nothing there.
func Try(dir string) error {
	name, err := Temporary(dir, draftPrefix+"*", "\n") // a full disk has room for names
	if err != nil {
		return err
	}
	_ = os.Remove(name)
	return nil
}

// Nowhere opens the file that is empty and takes everything.
func Nowhere() (*os.File, error) { return os.OpenFile(os.DevNull, os.O_RDWR, 0) }
