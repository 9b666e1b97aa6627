/** `docs/campaigns.md`: when each campaign of `npm run test:long` last passed, and at which commit. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestModule } from "vitest/node";
import { root } from "../../deploy/local/data-dir.ts";

const page = join(root, "docs/campaigns.md");
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Updates the rows of campaign files in which every test passed; other rows are unchanged. */
export function recordCampaigns(modules: readonly TestModule[]): void {
	const passed = modules.filter((module) => module.state() === "passed" && !hasSkipped(module));
	if (passed.length === 0) return;
	const isClean = git("status", "--porcelain", "--", ".", ":!docs/campaigns.md") === "";
	const commit = `${git("rev-parse", "--short", "HEAD")}${isClean ? "" : "-dirty"}`;
	const day = new Date().toISOString().slice(0, 10);
	const text = readFileSync(page, "utf8");
	const recorded = new Map(
		text.matchAll(/^\| `(.+?)` \| (.+) \|$/gm).map(([, file = "", cells = ""]) => [file, cells] as const),
	);
	for (const module of passed) {
		const minutes = (module.diagnostic().duration / 60_000).toFixed(1);
		recorded.set(module.relativeModuleId, `${day} | ${commit} | ${minutes}`);
	}
	const longFiles = globSync("test/**/*.long.test.ts", { cwd: root, exclude: ["**/node_modules/**"] });
	const rows = [...new Set([...longFiles, ...recorded.keys()])]
		.filter((file) => existsSync(join(root, file)))
		.sort()
		.map((file) => `| \`${file}\` | ${recorded.get(file) ?? "not recorded | | "} |`);
	writeFileSync(page, text.replace(/(\n\|---.*\n)[\s\S]*$/, `$1${rows.join("\n")}\n`));
}

/** A file with skipped tests does not count: the machine lacks something they need, or a filter excluded them. */
function hasSkipped(module: TestModule): boolean {
	return module.children.allTests("skipped").next().done === false;
}
