/**
 * TLS settings of a connection: trusted authorities and client certificate. For PostgreSQL they are URL parameters; the bus and Redis have
 * separate settings.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { checkServerIdentity, createSecureContext, type PeerCertificate, type SecureContext } from "node:tls";

export interface TlsFiles {
	/** File of the authorities that sign servers' certificates; the well-known authorities when absent. */
	ca?: string | undefined;
	/** File of the client certificate, for servers that require one, and of its key. */
	cert?: string | undefined;
	key?: string | undefined;
}

/** How a server's certificate is checked: signature and name, the signature only, or not at all. */
export type Proof = "host" | "signature" | "none";

/** Options for Node's `tls.connect`. */
export interface Trust {
	/** Read from the files at each connection, so that a renewed certificate needs no restart. */
	readonly secureContext: SecureContext;
	readonly rejectUnauthorized: boolean;
	checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

/**
 * Trusts a server whose certificate is for one of `hosts` (names or IP addresses) and signed by a trusted authority.
 * @throws if a file is missing, or is not a certificate or key. Later, invalid files are ignored, so that an incomplete renewal causes no
 * outage
 */
export function trust(files: TlsFiles, hosts: readonly string[], proof: Proof = "host"): Trust {
	let { text, context } = readContext(files);
	return {
		get secureContext() {
			try {
				({ text, context } = readContext(files, { text, context }));
			} catch {}
			return context;
		},
		rejectUnauthorized: proof !== "none",
		// For an IP address, Node itself would compare with "localhost".
		checkServerIdentity: (_host, certificate) => {
			if (proof !== "host") return undefined;
			const refusals = hosts.map((host) => checkServerIdentity(host, certificate));
			return refusals.includes(undefined) ? undefined : refusals[0];
		},
	};
}

interface Context {
	text: string;
	context: SecureContext;
}

/** Returns `before` if the files are unchanged, because creating a context parses every certificate. */
function readContext({ ca, cert, key }: TlsFiles, before?: Context): Context {
	const read = {
		...(ca !== undefined && { ca: readFileSync(ca, "utf8") }),
		...(cert !== undefined && { cert: readFileSync(cert, "utf8") }),
		...(key !== undefined && { key: readFileSync(key, "utf8") }),
	};
	const text = JSON.stringify(read);
	if (before?.text === text) return before;
	try {
		if (read.ca !== undefined) checkCertificates(read.ca);
		return { text, context: createSecureContext(read) };
	} catch (cause) {
		const names = [ca, cert, key].filter((path) => path !== undefined).join(", ");
		throw new Error(`${names}: expected PEM certificates, and the private key that matches the client certificate`, {
			cause,
		});
	}
}

/** Checks the authorities' file, because Node ignores unparsable parts of it and would then trust none. */
function checkCertificates(text: string): void {
	const openings = text.split("-----BEGIN CERTIFICATE-----").length - 1;
	const whole = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
	if (whole.length === 0 || whole.length !== openings) throw new Error("a certificate is truncated or missing");
	for (const one of whole) new X509Certificate(one);
}

/** The hosts of an address with one or more hosts separated by commas, without ports and brackets. */
export const hostsOf = (address: string): string[] =>
	address.split(",").map((one) => one.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^([^:]+):\d+$/, "$1"));

const proofs = new Map(Object.entries<Proof>({ "verify-full": "host", "verify-ca": "signature", require: "none" }));

/**
 * Splits the TLS parameters from a database URL. They work as in libpq, except that modes that fall back to plain text (`allow`, `prefer`)
 * are refused, and that without `sslrootcert` the well-known authorities are trusted. Without `sslmode`: no TLS.
 */
export function readAddress(address: string): { url: string; ssl?: Trust | false } {
	if (!URL.canParse(address)) throw new Error("the database's address is not a URL");
	const url = new URL(address);
	const parameters = new Map(
		[...url.searchParams].filter(([name]) => name.startsWith("ssl") && name !== "sslnegotiation"),
	);
	for (const name of parameters.keys()) url.searchParams.delete(name);
	const { sslmode, sslrootcert, sslcert, sslkey, ...unknown } = Object.fromEntries(parameters);
	if (Object.keys(unknown).length > 0)
		throw new Error(`the database address has unsupported TLS parameters: ${Object.keys(unknown).join(", ")}`);
	if (sslmode === "disable" || parameters.size === 0) return { url: url.href, ...(sslmode && { ssl: false }) };
	// As in libpq, a named authority implies verification.
	const proof = sslmode === "require" && sslrootcert !== undefined ? "signature" : proofs.get(sslmode ?? "");
	if (proof === undefined)
		throw new Error(
			`sslmode in the database address must be verify-full, verify-ca, require or disable, but is ${sslmode ?? "missing"}`,
		);
	const ca = sslrootcert === "system" ? undefined : sslrootcert;
	return { url: url.href, ssl: trust({ ca, cert: sslcert, key: sslkey }, hostsOf(url.host), proof) };
}
