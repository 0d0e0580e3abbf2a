package server

import (
	"net/http"
	"strings"
	"testing"

	"palimpsest/backend"
)

const aGIF = "GIF89a and so on"

func TestImages(t *testing.T) {
	f := start(t)
	kept := ok[backend.Image](f, http.StatusCreated, "POST", "/api/images", aGIF)
	if kept.MediaType != "image/gif" || kept.Bytes != len(aGIF) {
		t.Errorf("%+v", kept)
	}
	a := f.ask("GET", "/api/images/"+kept.Blob, "")
	if string(a.body) != aGIF || a.header.Get("Content-Type") != "image/gif" {
		t.Errorf("%s as %s", a.body, a.header.Get("Content-Type"))
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", "/api/images/"+strings.Repeat("0", 64), "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/images/..%2f..%2fconfig.yaml", "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/images", "<svg/>")
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "POST", "/api/images", "GIF89a"+strings.Repeat("x", backend.ImageMost))
}

// TestImagesOfAMessage that can't go: nothing is written.
func TestImagesOfAMessage(t *testing.T) {
	f, model := talking(t)
	model.Script(echo)
	id := f.session()
	at := "/api/sessions/" + id + "/messages"
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", at, `{"text":"x","images":[{"blob":"`+strings.Repeat("0", 64)+`"}]}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at, `{"images":[{"blob":"x"}]}`)
	f.wantSaid(id)
	kept := ok[backend.Image](f, http.StatusCreated, "POST", "/api/images", aGIF)
	ok[backend.Sent](f, http.StatusCreated, "POST", at, `{"images":[{"blob":"`+kept.Blob+`","name":"a.gif"}]}`)
}
