/** Where nats-server and redis-server come from: the PATH, else the system's packages, else Docker. */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { host } from "./data-dir.ts";
import { UserError } from "./program.ts";

/** How to run a server that keeps its files in `directory` and listens on `port`. */
export interface ServerProgram {
	/** The address to listen on: every one inside a container, whose port Docker publishes at the local address only. */
	listen: string;
	command(directory: string, port: number, args: string[]): { program: string; args: string[] };
}

export type ServerName = keyof typeof images;

const images = { "nats-server": "nats:2.12-alpine", "redis-server": "redis:8-alpine" } as const;
/** Debian's packages have the names of the programs. */
const brewed = { "nats-server": "nats-server", "redis-server": "redis" } as const;

// An ordinary user's PATH often lacks the folders where Debian and Homebrew put servers.
const folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/opt/homebrew/bin"];

export function findServers(): Record<ServerName, ServerProgram> {
	const names = Object.keys(images) as ServerName[];
	const missing = names.filter((name) => findProgram(name) === undefined);
	if (missing.length > 0) installPackages(missing);
	return { "nats-server": server("nats-server"), "redis-server": server("redis-server") };
}

function server(name: ServerName): ServerProgram {
	const program = findProgram(name);
	if (program) return { listen: host, command: (_directory, _port, args) => ({ program, args }) };
	const docker = findProgram("docker");
	if (docker && quietly(docker, ["info"])) return containerised(docker, name);
	throw new UserError(
		`${name} is missing and cannot be installed here (no root or sudo for apt-get, no Homebrew, no running Docker): ` +
			`install nats-server and redis-server, then try again.`,
	);
}

function containerised(docker: string, name: ServerName): ServerProgram {
	const owner = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
	return {
		listen: "0.0.0.0",
		command: (directory, port, args) => {
			const mounts = ["--volume", `${directory}:${directory}`, "--publish", `${host}:${port}:${port}`];
			const run = ["run", "--rm", "--init", "--user", owner, ...mounts, "--entrypoint", name, images[name], ...args];
			return { program: docker, args: run };
		},
	};
}

function installPackages(names: ServerName[]): void {
	const apt = findProgram("apt-get");
	const brew = findProgram("brew");
	const prefix = asRoot();
	if (apt && prefix) installByApt([...prefix, "env", "DEBIAN_FRONTEND=noninteractive", apt], names);
	else if (brew) installByBrew(brew, names);
}

/** Homebrew must not write to standard output, because the last line of this program may be read. */
function installByBrew(brew: string, names: ServerName[]): void {
	process.stderr.write(`Installing ${names.join(" and ")} (brew)...\n`);
	spawnSync(brew, ["install", ...names.map((name) => brewed[name])], { stdio: ["inherit", 2, 2] });
}

function installByApt(apt: string[], names: ServerName[]): void {
	process.stderr.write(`Installing ${names.join(" and ")} (apt-get)...\n`);
	// Another copy may be installing at the same moment.
	const options = ["-qq", "-o", "DPkg::Lock::Timeout=300"];
	const run = (...args: string[]) => {
		const [program = "apt-get", ...rest] = [...apt, ...options, ...args];
		return spawnSync(program, rest, { stdio: ["inherit", "ignore", "pipe"], encoding: "utf8" });
	};
	const install = ["install", "-y", "--no-install-recommends", ...names];
	if (run(...install).status === 0) return;
	// A fresh machine has no package lists, an old one has outdated ones.
	run("update");
	const { status, stderr } = run(...install);
	if (status !== 0) process.stderr.write(stderr);
}

/** The words before a command with which root runs it; undefined if it cannot be run as root. */
function asRoot(): string[] | undefined {
	if (process.getuid?.() === 0) return [];
	const sudo = findProgram("sudo");
	if (sudo && quietly(sudo, ["-n", "true"])) return [sudo, "-n"];
	// On a terminal, sudo can ask for the password.
	return sudo && process.stdin.isTTY ? [sudo] : undefined;
}

export function findProgram(name: string): string | undefined {
	const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
	return [...path, ...folders].map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function quietly(program: string, args: string[]): boolean {
	return spawnSync(program, args, { stdio: "ignore", timeout: 20_000 }).status === 0;
}
