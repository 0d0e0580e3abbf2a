// Package server is the HTTP door: the API of docs/http.md, and the page that uses it.
//
// One set of routes has two mounts. [Server.Handler] answers inside the window, where no port is open and nobody else can
// ask. [Server.ListenAndServe] answers on a port, where anybody on this machine and any page in a browser can: so there
// every request has to name a host of ours, no foreign origin, and, for all that is data, the token. The page itself holds
// no data and is served without.
//
// The rules of the handlers:
//
//   - An id is checked before anything else of a request is looked at.
//   - A handler returns its error, and one place puts it into a problem document; nothing is logged but panics, and never
//     what a request holds.
//   - An answer is whole before its first byte is sent, but for the bytes of records and blobs, whose length is sent first:
//     a client can tell when they were cut short. Nothing relies on streaming, which the window does not have on Windows,
//     nor on 304, which hangs it.
package server
