/**
 * Builds the wheel and the sdist of `clients/python` with Debian's hatchling, without a network, into its `dist` or a given folder.
 *
 *     npm run client:python
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const client = join(import.meta.dirname, "../../clients/python");
const folder = resolve(process.argv[2] ?? join(client, "dist"));
const program = `import sys
from hatchling import build
print(build.build_sdist(sys.argv[1]))
print(build.build_wheel(sys.argv[1]))`;
const { PYTHON = "/usr/bin/python3" } = process.env;
const { status } = spawnSync(PYTHON, ["-c", program, folder], { cwd: client, stdio: "inherit" });
if (status !== 0)
	throw new Error("The package could not be built: it needs Debian's python3-hatchling (PYTHON names another Python).");
