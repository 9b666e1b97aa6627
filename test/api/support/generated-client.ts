/** The program in test/tools/generated-client: its client made from a document by @hey-api/openapi-ts, both built by plain `tsc`, run against a server. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expectDone, type TypedClient } from "./typed-client.ts";

const program = fileURLToPath(new URL("../../tools/generated-client/client.ts", import.meta.url));
const timeoutMs = 120_000;

/** @throws if the generator or the compiler fails, with its output */
export async function runGeneratedClient({ url, key, project, folder }: TypedClient): Promise<object> {
	const own = join(folder, "generated");
	await mkdir(own);
	await writeFile(join(own, "package.json"), JSON.stringify({ type: "module" }));
	await copyFile(program, join(own, "client.ts"));
	const plugins = ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"].flatMap((each) => ["-p", each]);
	await expectDone("openapi-ts", ["-i", "openapi.json", "-o", "generated/client", "--no-log-file", ...plugins], folder);
	await writeFile(join(own, "tsconfig.json"), JSON.stringify(settings));
	await expectDone("tsc", ["--project", "tsconfig.json"], own);
	const built = join(own, "built", "client.js");
	const { stdout } = await promisify(execFile)(process.execPath, [built, url, key, project], { timeout: timeoutMs });
	return JSON.parse(stdout);
}

const settings = {
	compilerOptions: {
		outDir: "built",
		rootDir: ".",
		strict: true,
		target: "es2022",
		lib: ["es2022", "dom", "dom.iterable"],
		module: "nodenext",
		moduleResolution: "nodenext",
		types: ["node"],
		typeRoots: [fileURLToPath(new URL("../../../node_modules/@types", import.meta.url))],
	},
	files: ["client.ts"],
};
