package server

import (
	"compress/gzip"
	"net/http"
	"strings"
)

// zipped answers with less where an answer is a part of a list, of which there may be many, and whoever asks over a port, perhaps
// through a tunnel, can take it so. The window's own requests are not answered so: nothing there would unpack it.
func zipped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !takesGzip(r) {
			next.ServeHTTP(w, r)
			return
		}
		z := &zipping{ResponseWriter: w}
		next.ServeHTTP(z, r)
		if z.to != nil {
			_ = z.to.Close() // who does not listen any more need not be told
		}
	})
}

// takesGzip tells whether a request names gzip, and not to refuse it.
func takesGzip(r *http.Request) bool {
	for one := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}

// zipping compresses the body of an answer in lines, once its header says that it is one.
type zipping struct {
	http.ResponseWriter
	to *gzip.Writer
}

func (z *zipping) WriteHeader(status int) {
	h := z.Header()
	if h.Get("Content-Type") == linesType {
		h.Add("Vary", "Accept-Encoding")
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		z.to, _ = gzip.NewWriterLevel(z.ResponseWriter, gzip.BestSpeed) // which is one of the levels
	}
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipping) Write(data []byte) (int, error) {
	if z.to != nil {
		return z.to.Write(data) //nolint:wrapcheck // it is that of the writer it stands for
	}
	return z.ResponseWriter.Write(data) //nolint:wrapcheck // as above
}

// Unwrap lets [http.ResponseController] reach the connection.
func (z *zipping) Unwrap() http.ResponseWriter { return z.ResponseWriter }
