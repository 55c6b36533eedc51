package cli

import (
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"parley/a2a/coding"
)

// maxZstdWindow is how far back a zstd body may refer, in bytes, which bounds the memory
// of its decoder (RFC 8878 §3.1.1.1.2 asks for no more than 8 MB).
const maxZstdWindow = 8 << 20

// codings are the content codings that the standard library does not read.
func codings() coding.Codings {
	return coding.Codings{
		"br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"zstd": func(r io.Reader) (io.Reader, error) {
			// One goroutine, so that flushed parts of a stream come before the next read.
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxWindow(maxZstdWindow))
			if err != nil {
				return nil, err
			}
			return d, nil
		},
	}
}
