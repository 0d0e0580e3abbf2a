// Package tokens says how many tokens a context holds, and whether that is too many.
//
// Three numbers are known about a context, each better than the one before it and each harder
// to come by:
//
//   - The raw estimate ([Estimate], [Tally]) needs nothing but the text: a quarter token for each
//     code point, one whole token for each wide one, rounded up once per message. It is the usual
//     rule of four characters to a token, corrected upward where that rule is far too low.
//     Where to cut, and every count written into a log, uses this one: it never changes.
//   - The calibrated estimate ([Calibrate], [Scale]) multiplies the raw one by what this session's
//     model reported for earlier contexts of known estimate. It decides when to compact.
//   - The anchored count ([Anchored]) is what the model itself reported with its last answer, plus
//     the raw estimate of what came after. It is exact but for that tail, and exists only while
//     nothing has changed the context under it.
//
// Everything here is arithmetic on text and numbers: no files, no clock, no tokenizer tables.
//
// # How far off the raw estimate is
//
// Measured against o200k_base, a real tokenizer, on the samples in testdata (the error is
// estimate over tokenizer, less one; the test holds each within five points of this table):
//
//	sample                    tokenizer  estimate  error   four characters a token
//	English prose                   858      1047  +22 %   +22 %
//	Go source                       910       837   −8 %    −8 %
//	JSON, compact                  1395       866  −38 %   −38 %
//	Chinese prose                   890      1231  +38 %   −65 %
//	Japanese prose                 1281      1766  +38 %   −65 %
//
// JSON as tools print it is the worst case, because digests, numbers and punctuation make short
// tokens. It is also why the factor of [Calibrate] may reach 1.6: 1395 is 1.61 times 866.
//
// The estimate is made for conversations, not for one script: text in letters that are neither
// Latin nor wide (Cyrillic, Arabic, Thai) counts a quarter for each code point and may come out
// too low. A session's own usage corrects that within the bounds of [Calibrate].
package tokens
