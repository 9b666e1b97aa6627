/** Address and key of the service: from flags, then the environment, then the file of `eids login`. */
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "./failures.ts";

export interface Settings {
	url: string;
	key: string | undefined;
}
interface Stored {
	url: string;
	key: string;
}
type Environment = Readonly<Record<string, string | undefined>>;

const defaultUrl = "http://127.0.0.1:8080";

/** The file of stored settings. A relative XDG_CONFIG_HOME is ignored, as the XDG Base Directory Specification requires. */
export function fileOf(env: Environment): string {
	const { XDG_CONFIG_HOME: home = "" } = env;
	return join(home.startsWith("/") ? home : join(homedir(), ".config"), "eids", "credentials.json");
}

/**
 * Returns the settings to use. A stored key is only used for the service that it was stored for. `ignoresStored` ignores the stored settings.
 * @throws UsageError
 */
export function settingsOf(url: string | undefined, env: Environment, ignoresStored = false): Settings {
	const givenUrl = url ?? (env.EIDS_URL || undefined);
	const key = env.EIDS_API_KEY || undefined;
	const isComplete = ignoresStored || (givenUrl !== undefined && key !== undefined);
	const stored = isComplete ? undefined : readStored(fileOf(env));
	const address = addressOf(givenUrl ?? stored?.url ?? defaultUrl);
	return { url: address, key: key ?? (stored?.url === address ? stored.key : undefined) };
}

function addressOf(text: string): string {
	if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
		throw new UsageError(`"${text}" is not a service address: it must be http:// or https:// followed by a host`);
	return text.replace(/\/+$/, "");
}

/** Reads the stored settings. @throws UsageError if other users can read the file, because the key may be compromised */
function readStored(file: string): Stored | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(file, "r");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
	try {
		const mode = fstatSync(descriptor).mode & 0o777;
		// Windows has no file modes.
		if (process.platform !== "win32" && (mode & 0o077) !== 0)
			throw new UsageError(
				`${file} is open to others (mode ${mode.toString(8)}): chmod 600 it, and replace the key if it may have been read`,
			);
		return parseStored(readFileSync(descriptor, "utf8"), file);
	} finally {
		closeSync(descriptor);
	}
}

function parseStored(text: string, file: string): Stored {
	try {
		const { url, key } = JSON.parse(text) as Partial<Stored>;
		if (typeof url === "string" && typeof key === "string") return { url, key };
	} catch {}
	throw new UsageError(`${file} is damaged: run eids login to replace it`);
}

/** Stores the settings, and returns the file. A temporary file is renamed, so that the file is never incomplete or readable by others. */
export function storeSettings(stored: Stored, env: Environment): string {
	const file = fileOf(env);
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const temporaryFile = `${file}.${process.pid}`;
	rmSync(temporaryFile, { force: true });
	writeFileSync(temporaryFile, `${JSON.stringify(stored)}\n`, { mode: 0o600, flag: "wx" });
	renameSync(temporaryFile, file);
	return file;
}

export function removeKey(env: Environment): string {
	const file = fileOf(env);
	rmSync(file, { force: true });
	return file;
}
