#ifndef TILL_CBZIP2_H
#define TILL_CBZIP2_H

#include <bzlib.h>

#endif
