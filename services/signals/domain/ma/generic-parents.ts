/** What stands as the parent of a developer and names no one company: a kind of owner, or several owners together. */

/** In lower case. Two developers of "municipal" are not one party; nor are two that one bank happens to finance. */
export const genericParents: ReadonlySet<string> = new Set([
	"private",
	"public",
	"public power",
	"municipal",
	"cooperative",
	"state agency",
	"us government",
	"investor consortium",
	"private consortium",
	"infrastructure investors",
	"pension investors",
	"venture",
	"encap-backed",
	"goldman sachs",
	"none",
	"unknown",
]);
