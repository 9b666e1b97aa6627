/** The program in test/tools/typed-client: its types written from a document, compiled with them by TypeScript 5, run against a server. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runTool } from "../../support/tools.ts";

const program = fileURLToPath(new URL("../../tools/typed-client/client.ts", import.meta.url));
const timeoutMs = 120_000;

export interface TypedClient {
	url: string;
	key: string;
	/** Id of a project that is there. */
	project: string;
	/** The folder of openapi.json, to which the types are written. */
	folder: string;
}

/** @throws if the compiler fails, with its output */
export async function runTypedClient({ url, key, project, folder }: TypedClient): Promise<object> {
	await expectDone("openapi-typescript", ["openapi.json", "--output", "schema.d.ts"], folder);
	await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings(join(folder, "schema.d.ts"))));
	await expectDone("tsc", ["--project", "tsconfig.json"], folder);
	const { stdout } = await promisify(execFile)(process.execPath, [program, url, key, project], { timeout: timeoutMs });
	return JSON.parse(stdout);
}

/** @throws what the tool says, where it fails. */
export async function expectDone(name: string, args: string[], cwd: string): Promise<void> {
	const { code, stdout, stderr } = await runTool(name, args, { cwd, timeoutMs });
	if (code !== 0) throw new Error(`${name}: ${stdout}${stderr}`);
}

const settings = (schema: string): object => ({
	compilerOptions: {
		noEmit: true,
		strict: true,
		target: "es2022",
		lib: ["es2022", "dom", "dom.iterable"],
		module: "nodenext",
		moduleResolution: "nodenext",
		paths: { schema: [schema] },
		types: ["node"],
		typeRoots: [fileURLToPath(new URL("../../../node_modules/@types", import.meta.url))],
	},
	files: [program],
});
