#ifndef TILL_CQRCODE_H
#define TILL_CQRCODE_H

#include <qrencode.h>

#endif
