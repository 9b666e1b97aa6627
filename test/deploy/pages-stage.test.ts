/** The image's stage that builds the pages has all that the build needs: it is run on what the stage copies, and on nothing else. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../deploy/local/data-dir.ts";

test("the pages are built only from files that the stage copies, all in the image's context", () => {
	const [stage = ""] = /(?<=AS pages\n)[\s\S]*?(?=\nFROM )/.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
	const copies = [...stage.matchAll(/^COPY (.+) (\S+)$/gm)].map(([, sources = "", to = ""]) => ({
		sources: sources.split(" "),
		to,
	}));
	const program = /^RUN node (\S+)$/m.exec(stage)?.[1] ?? "";
	const named = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
	const folder = mkdtempSync(join(tmpdir(), "energy-pages-"));
	try {
		for (const { sources, to } of copies)
			for (const source of sources) {
				expect(named).toContain(`!${source.split("/")[0]}`);
				const target = to.endsWith("/") ? join(folder, to, source.split("/").at(-1) ?? "") : join(folder, to);
				cpSync(join(root, source), target, {
					recursive: true,
					filter: (path) => !path.startsWith(join(root, "web/dist")),
				});
			}
		symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
		const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
		expect([status, stderr]).toEqual([0, ""]);
		expect(existsSync(join(folder, "web/dist/manifest.json"))).toBe(true);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
