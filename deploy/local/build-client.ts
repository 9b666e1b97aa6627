/**
 * Builds the client's package (`libs/client`) into `libs/client/dist`: JavaScript and types, in which the contract is printed, so that
 * they need nothing else.
 *
 *     npm run client        and then, in libs/client, npm pack
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parameters } from "../../libs/client/src/cli/parameters.ts";
import { routes } from "../../libs/client/src/operations.ts";
import { typesOfInterface } from "./client-types.ts";

const client = fileURLToPath(new URL("../../libs/client/", import.meta.url));
const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

/** For Node.js, browsers and workers; `cli` for Node.js alone. */
const settings = {
	compilerOptions: {
		...{ target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2024", "dom", "dom.iterable"] },
		...{ strict: true, declaration: true, types: ["node"], skipLibCheck: true },
		...{ rewriteRelativeImportExtensions: true, rootDir: "src", outDir: join(client, "dist") },
	},
	include: ["src"],
};

const table = `import type { Calls } from "./contract.ts";
import type { Route } from "./route.ts";

export const routes: Record<keyof Calls, Route> = ${JSON.stringify(routes)};
`;

const flags = `import type { Parameter } from "./parameter.ts";

export const parameters: Readonly<Record<string, readonly Parameter[]>> = ${JSON.stringify(parameters)};
`;

const made = mkdtempSync(join(client, "build-"));
try {
	cpSync(join(client, "src"), join(made, "src"), { recursive: true });
	writeFileSync(join(made, "src", "contract.ts"), typesOfInterface());
	writeFileSync(join(made, "src", "operations.ts"), table);
	writeFileSync(join(made, "src", "cli", "parameters.ts"), flags);
	cpSync(join(client, "../contract/did-you-mean.ts"), join(made, "src", "cli", "nearest.ts"));
	writeFileSync(join(made, "tsconfig.json"), JSON.stringify(settings));
	rmSync(join(client, "dist"), { recursive: true, force: true });
	const { status } = spawnSync(process.execPath, [tsc, "--project", join(made, "tsconfig.json")], {
		stdio: ["ignore", 2, 2],
	});
	if (status !== 0) throw new Error("The client could not be built.");
} finally {
	rmSync(made, { recursive: true, force: true });
}
