/** Which edition of the register and of the rules a link was made by. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { SeedDeveloper } from "./seed.ts";

/** Differs when a developer or a rule of this folder does: links made by another edition are to be made anew. */
export function editionOf(seed: readonly SeedDeveloper[]): string {
	const folder = new URL("./", import.meta.url);
	const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
	const rules = files.sort().map((name) => readFileSync(new URL(name, folder), "utf8"));
	return hash("sha256", JSON.stringify([seed, rules]), "hex");
}
