/** Which one company is meant by what the register words as a developer's parent. Pure. */

/** Words for a kind of owner, in lower case. Two developers of "municipal" are not one party; nor are two that one bank happens to finance. */
const genericParents: ReadonlySet<string> = new Set([
	...["private", "public", "public power", "municipal", "cooperative", "state agency", "us government"],
	...["investor consortium", "private consortium", "infrastructure investors", "pension investors", "venture"],
	...["encap-backed", "goldman sachs", "none", "unknown"],
]);

/**
 * The parent company, without notes in brackets ("AES Corp (take-private pending)"); null for a kind of owner ("municipal"), for several
 * together ("CPP Investments and GIP"), and for a state of affairs ("in ch.11 since 2025-11-06").
 */
export function parentCompany(stated: string | null): string | null {
	const name =
		stated
			?.replace(/\([^)]*\)/g, " ")
			.replace(/\s+/g, " ")
			.trim() ?? "";
	return name === "" || genericParents.has(name.toLowerCase()) || / and |[,;\d]/.test(name) ? null : name;
}
