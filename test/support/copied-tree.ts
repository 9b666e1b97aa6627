/** A copy of this tree's code in a folder of its own, to be changed and run. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../deploy/local/data-dir.ts";

export interface Tree extends Disposable {
	path: string;
	/** Settings of a process that runs its code. */
	env: Record<string, string>;
	/** Writes a file that is not there yet. */
	add(file: string, text: string): void;
	/** Throws where the text is not there exactly once. */
	replace(file: string, text: string, by: string): void;
}

/** Settings by which a process shares the cache of compiled code with other trees: its paths are relative to this folder, which is a link in a copy. */
export const cacheOf = (tree: string): Record<string, string> => ({
	NODE_COMPILE_CACHE: join(tree, "node_modules/.cache/node"),
	NODE_COMPILE_CACHE_PORTABLE: "1",
	NODE_PRESERVE_SYMLINKS: "1",
});

export function copyTree(): Tree {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "energy-test-tree-")));
	for (const part of ["libs", "services", "deploy", "web/dist", "web/guides", "package.json"])
		cpSync(join(root, part), join(path, part), { recursive: true });
	symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
	return {
		path,
		env: cacheOf(path),
		add: (file, text) => writeFileSync(join(path, file), text, { flag: "wx" }),
		replace(file, text, by) {
			const [before, after, ...more] = readFileSync(join(path, file), "utf8").split(text);
			if (after === undefined || more.length > 0) throw new Error(`${file} is not as this test knows it`);
			writeFileSync(join(path, file), `${before}${by}${after}`);
		},
		[Symbol.dispose]: () => rmSync(path, { recursive: true }),
	};
}
