/**
 * TLS settings of connections: trusted authorities and client certificate. For PostgreSQL they are parameters of the URL; the bus and Redis have
 * separate settings.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { checkServerIdentity, createSecureContext, type PeerCertificate, type SecureContext } from "node:tls";

export interface TlsFiles {
	/** File of the authorities that sign servers' certificates; the well-known authorities when absent. */
	ca?: string | undefined;
	/** Files of the client certificate, for servers that require one, and of its key. */
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
 * @throws if a file is missing, or is not a certificate or key. Files that become invalid later are ignored, so that an incomplete renewal
 * causes no outage
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
		// Node itself would compare the certificate of an IP address with "localhost".
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

/** Returns `previous` if the files are unchanged, because creating a context parses every certificate. */
function readContext({ ca, cert, key }: TlsFiles, previous?: Context): Context {
	const pems = {
		...(ca !== undefined && { ca: readFileSync(ca, "utf8") }),
		...(cert !== undefined && { cert: readFileSync(cert, "utf8") }),
		...(key !== undefined && { key: readFileSync(key, "utf8") }),
	};
	const text = JSON.stringify(pems);
	if (previous?.text === text) return previous;
	try {
		if (pems.ca !== undefined) checkCertificates(pems.ca);
		return { text, context: createSecureContext(pems) };
	} catch (cause) {
		const names = [ca, cert, key].filter((path) => path !== undefined).join(", ");
		throw new Error(`${names}: expected PEM certificates, and the private key that matches the client certificate`, {
			cause,
		});
	}
}

/** Checks the file of authorities: Node ignores certificates in it that it cannot parse, and might then trust none. */
function checkCertificates(text: string): void {
	const openings = text.split("-----BEGIN CERTIFICATE-----").length - 1;
	const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
	if (certificates.length === 0 || certificates.length !== openings)
		throw new Error("a certificate is truncated or missing");
	for (const certificate of certificates) new X509Certificate(certificate);
}

/** Splits an address with one or more hosts, separated by commas, into hosts without ports and brackets. */
export const hostsOf = (address: string): string[] =>
	address.split(",").map((one) => one.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^([^:]+):\d+$/, "$1"));

const proofs = new Map(Object.entries<Proof>({ "verify-full": "host", "verify-ca": "signature", require: "none" }));

/**
 * Separates the TLS parameters from a database URL. They work as in libpq, with two exceptions: modes that fall back to plain text (`allow`,
 * `prefer`) are refused, and the well-known authorities are trusted if there is no `sslrootcert`. A URL without TLS parameters gets no TLS.
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
