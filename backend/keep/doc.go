// Package keep writes what a program knows in the middle of its work, so that the next one goes on with it.
//
// One function tells what there is to know, for both ways: it hands pointers to a [State], which writes what they point to, or reads into
// it. Fields of structs are taken as they are, also those that nobody else sees, so that none is forgotten that comes later; one that is of the
// moment alone has the tag keep:"-". What a pointer has apart from what it points to, that it is the same as another, is lost.
//
// What is read was written by the same code on the same machine: a version says so, and a sum that nothing of it is damaged. Of anything else
// there is an error: what it says of lengths is believed only as far as something is there.
package keep
