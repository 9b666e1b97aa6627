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

/** The XDG Base Directory Specification ignores relative paths. */
export function fileOf(env: Environment): string {
	const { XDG_CONFIG_HOME: home = "" } = env;
	return join(home.startsWith("/") ? home : join(homedir(), ".config"), "eids", "credentials.json");
}

/**
 * A stored key is only sent to the service that it was stored for. `isFresh`: ignores stored settings.
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

/** @throws UsageError if other users may read the file, because its key may be compromised */
function readStored(file: string): Stored | undefined {
	let opened: number;
	try {
		opened = openSync(file, "r");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
	try {
		const mode = fstatSync(opened).mode & 0o777;
		// Windows has no file modes.
		if (process.platform !== "win32" && (mode & 0o077) !== 0)
			throw new UsageError(
				`${file} is open to others (mode ${mode.toString(8)}): chmod 600 it, and replace the key if it may have been read`,
			);
		return parseStored(readFileSync(opened, "utf8"), file);
	} finally {
		closeSync(opened);
	}
}

function parseStored(text: string, file: string): Stored {
	try {
		const { url, key } = JSON.parse(text) as Partial<Stored>;
		if (typeof url === "string" && typeof key === "string") return { url, key };
	} catch {}
	throw new UsageError(`${file} is damaged: run eids login to replace it`);
}

/** Writes a temporary file and renames it, so that the file is never incomplete or readable by others. */
export function storeSettings(stored: Stored, env: Environment): string {
	const file = fileOf(env);
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const fresh = `${file}.${process.pid}`;
	rmSync(fresh, { force: true });
	writeFileSync(fresh, `${JSON.stringify(stored)}\n`, { mode: 0o600, flag: "wx" });
	renameSync(fresh, file);
	return file;
}

export function removeKey(env: Environment): string {
	const file = fileOf(env);
	rmSync(file, { force: true });
	return file;
}
