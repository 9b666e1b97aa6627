/** deploy/testcontainers as a package for other repositories: plain JavaScript and declarations, as Node.js strips no types below node_modules. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const engineAnswers = spawnSync("docker", ["info"], { timeout: 20_000 }).status === 0;
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "energy-package-"));
const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
	spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 240_000, env: { ...process.env, ...env } });

beforeAll(() => {
	const path = [join(root, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(":");
	const packed = run("npm", ["pack", join(root, "deploy/testcontainers"), "--silent"], { PATH: path });
	expect(packed.status, packed.stderr).toBe(0);
	const modules = join(folder, "node_modules");
	mkdirSync(modules);
	const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
	expect(run("tar", ["-xzf", tarball]).status).toBe(0);
	expect(run("mv", ["package", join(modules, "energy-data-stack")]).status).toBe(0);
	symlinkSync(join(root, "node_modules/testcontainers"), join(modules, "testcontainers"));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The output of another repository's program. */
function printed(options: object): string {
	const program = `
		import { EnergyDataStack } from "energy-data-stack";
		await new EnergyDataStack(${JSON.stringify(options)}).start().catch(({ message }) => console.log(message));
	`;
	writeFileSync(join(folder, "program.mjs"), program);
	return run(process.execPath, ["program.mjs"], { ENERGY_IMAGE: "" }).stdout.trim();
}

test("a missing image is named, because the package cannot build one", () => {
	expect(printed({})).toBe("Which image? Name it by the option `image` or by ENERGY_IMAGE.");
});

test("the package contains only its JavaScript and declarations", () => {
	const files = readdirSync(join(folder, "node_modules/energy-data-stack"), { recursive: true, encoding: "utf8" });
	const modules = ["energy-data-stack", "image", "launch", "plan"];
	expect(files.filter((file) => file.includes(".")).sort()).toEqual(
		[...modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]), "package.json"].sort(),
	);
});

test.skipIf(engineAnswers)(
	`where no Docker engine answers it says so${engineAnswers ? " (skipped: one answers here)" : ""}`,
	() => {
		expect(printed({ image: "any" })).toBe("No Docker engine answers: start one, or name it by DOCKER_HOST.");
	},
);

test("the page shows the tested example", () => {
	const page = join(root, "docs/testcontainers.md");
	const [, shown = ""] = /```ts\n(.*?)```/s.exec(readFileSync(page, "utf8")) ?? [];
	const file = readFileSync(join(import.meta.dirname, "example.test.ts"), "utf8");
	const [, example = ""] = /\/\/ ---- example\n(.*?)\/\/ ---- end/s.exec(file) ?? [];
	// The page leaves out what only this repository needs.
	const expected = example
		.replace("../../deploy/testcontainers/energy-data-stack.ts", "energy-data-stack")
		.replace(/describe\.skipIf\(away\)\(`([^$]*)\$\{here\}`/, 'describe("$1"')
		.replace("...options, ", "")
		.replace("services/queue-ingest/admin/sample/files/miso/today/getprojects", "fixtures/getprojects.json");
	if (process.env.UPDATE_SNAPSHOT)
		writeFileSync(
			page,
			readFileSync(page, "utf8").replace(shown, () => expected),
		);
	else expect(shown, "run with UPDATE_SNAPSHOT=1").toBe(expected);
});
