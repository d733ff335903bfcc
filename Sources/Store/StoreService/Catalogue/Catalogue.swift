/// What both environments sell: apps and their products.
///
/// All of it are synchronous functions over a transaction of the catalogue's database.
package enum Catalogue {}
