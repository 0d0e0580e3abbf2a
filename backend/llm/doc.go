// Package llm asks a model: OpenAI's chat completions, streamed, from whatever server speaks them.
//
// The way of a request through the files:
//
//   - endpoint.go says where it goes and which key may go there;
//   - request.go turns messages as overlay resolves them into what a chat API accepts, content.go text and images,
//     names.go the ids of calls;
//   - stream.go asks, and asks again as retry.go has it; transport.go is the HTTP underneath;
//   - sse.go hands the answer on line by line, chunk.go decodes a line, collect.go puts an answer together;
//   - said.go reads what a server says about a failure, classify.go judges it, error.go is what comes of it.
//
// models.go and local.go find out what there is to ask.
//
// go-openai makes the request and reads the stream. What it loses on the way (headers that say how long to wait, bodies
// of errors in shapes that are not OpenAI's, errors behind comments, the last line of a stream without its newline) is
// taken from the HTTP response below it, in transport.go.
//
// Nothing here is written to disk, and a key leaves this package only in the header of a request.
package llm
