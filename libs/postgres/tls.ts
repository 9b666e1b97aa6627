/**
 * TLS settings of a connection: the trusted authorities and the client certificate. PostgreSQL's URL parameters carry them; the bus and
 * Redis have settings of their own for the same.
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

/** As Node's `tls.connect` takes it. */
export interface Trust {
	/** From the current files: read at each connection, so that a renewed certificate needs no restart. */
	readonly secureContext: SecureContext;
	readonly rejectUnauthorized: boolean;
	checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined;
}

/**
 * Trust in a server that shows a certificate for one of `hosts` (names or numbers), signed by an authority that is trusted.
 * @throws when a file is missing, or is not a certificate or key. Later, invalid files are ignored: an incomplete renewal causes no outage.
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
		// For an address, Node itself would compare with "localhost".
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

/** Returns `before` when the files are the same, because making a context reads every certificate in them. */
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
		throw new Error(`these files are not certificates, or not a certificate and its key: ${names}`, { cause });
	}
}

/** Node ignores what it cannot parse in a file of authorities, and would then trust none. */
function checkCertificates(text: string): void {
	const begun = text.split("-----BEGIN CERTIFICATE-----").length - 1;
	const whole = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
	if (whole.length === 0 || whole.length !== begun) throw new Error("a certificate is truncated or missing");
	for (const one of whole) new X509Certificate(one);
}

/** The hosts of an address, without ports and brackets; several are separated by commas. */
export const hostsOf = (address: string): string[] =>
	address.split(",").map((one) => one.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^([^:]+):\d+$/, "$1"));

const proofs = new Map(Object.entries<Proof>({ "verify-full": "host", "verify-ca": "signature", require: "none" }));

/**
 * Splits the TLS parameters from a database URL. As in libpq, except that modes that fall back to plain text (`allow`, `prefer`) are
 * refused, and without `sslrootcert` the well-known authorities are trusted. Without `sslmode`: no TLS.
 */
export function readAddress(address: string): { url: string; ssl?: Trust | false } {
	if (!URL.canParse(address)) throw new Error("the database's address is not a URL");
	const url = new URL(address);
	const words = new Map([...url.searchParams].filter(([word]) => word.startsWith("ssl") && word !== "sslnegotiation"));
	for (const word of words.keys()) url.searchParams.delete(word);
	const { sslmode, sslrootcert, sslcert, sslkey, ...unknown } = Object.fromEntries(words);
	if (Object.keys(unknown).length > 0)
		throw new Error(`unknown parameters in the database address: ${Object.keys(unknown).join(", ")}`);
	if (sslmode === "disable" || words.size === 0) return { url: url.href, ...(sslmode && { ssl: false }) };
	// As libpq does: a named authority implies verification.
	const proof = sslmode === "require" && sslrootcert !== undefined ? "signature" : proofs.get(sslmode ?? "");
	if (proof === undefined)
		throw new Error("sslmode in the database's address: verify-full, verify-ca, require or disable");
	const ca = sslrootcert === "system" ? undefined : sslrootcert;
	return { url: url.href, ssl: trust({ ca, cert: sslcert, key: sslkey }, hostsOf(url.host), proof) };
}
