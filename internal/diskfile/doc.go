// Package diskfile reads whole files into memory that the caller reuses. It is
// for reading thousands of files one after the other, most of which are of no
// interest once they have been looked at; os.ReadFile is for all else.
package diskfile
