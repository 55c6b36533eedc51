package picture

import "encoding/binary"

// webpFrame returns the size of the largest frame in a WebP file. The decoder uses the frame's
// size, which may differ from the size in the file's header.
func webpFrame(data []byte) (w, h int) {
	const header, chunk = 12, 8
	for at := header; at+chunk <= len(data); {
		id, size := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+chunk:]
		fw, fh := 0, 0
		switch {
		case id == "VP8 " && len(body) >= 10:
			fw, fh = int(binary.LittleEndian.Uint16(body[6:])&0x3fff), int(binary.LittleEndian.Uint16(body[8:])&0x3fff)
		case id == "VP8L" && len(body) >= 5:
			bits := binary.LittleEndian.Uint32(body[1:])
			fw, fh = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
		}
		if fw*fh > w*h {
			w, h = fw, fh
		}
		if size >= len(body) {
			break
		}
		at += chunk + size + size&1
	}
	return w, h
}
