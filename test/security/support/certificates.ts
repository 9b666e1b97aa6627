/** Certificates as an operator would have them made, by openssl: an authority, and what it signs. */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
	/** Files, in PEM. */
	cert: string;
	key: string;
}

export interface Authority {
	/** File of its certificate. */
	ca: string;
	/** A certificate for these names and numbers (`DNS:localhost`, `IP:127.0.0.1`), valid for two days. */
	sign(...names: string[]): Certificate;
	/** A client's certificate, without the name of a host. */
	signClient(): Certificate;
}

export interface Certificates extends Disposable {
	directory: string;
	/** Another authority at each call. */
	authority(): Authority;
	/** A copy under another name, for a file whose content is to change. */
	copy(file: string, name: string): string;
}

/** Writes to a folder of its own, which is deleted at the end. PostgreSQL's own user can read the files, too. */
export function makeCertificates(): Certificates {
	const directory = mkdtempSync(join(tmpdir(), "energy-certificates-"));
	chmodSync(directory, 0o711);
	let made = 0;
	const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "pipe" });
	const file = (name: string) => join(directory, name);
	const request = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-subj"];
	const authority = (): Authority => {
		const name = `authority-${++made}`;
		const itself = ["-x509", "-days", "2", "-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)];
		openssl(...request, `/CN=${name}`, ...itself, "-addext", "keyUsage=critical,keyCertSign,cRLSign");
		const signed = (extensions: string[]): Certificate => {
			const place = file(`certificate-${++made}`);
			const [cert, key] = [`${place}.pem`, `${place}.key`];
			writeFileSync(`${place}.ext`, [...extensions, "basicConstraints=CA:FALSE"].join("\n"));
			openssl(...request, "/CN=made in a test", "-keyout", key, "-out", `${place}.csr`);
			const by = ["-CA", file(`${name}.pem`), "-CAkey", file(`${name}.key`), "-CAcreateserial", "-days", "2"];
			openssl("x509", "-req", "-in", `${place}.csr`, ...by, "-extfile", `${place}.ext`, "-out", cert);
			chmodSync(cert, 0o644);
			return { cert, key };
		};
		return {
			ca: file(`${name}.pem`),
			sign: (...names) => signed([`subjectAltName=${names.join(",")}`, "extendedKeyUsage=serverAuth"]),
			signClient: () => signed(["extendedKeyUsage=clientAuth"]),
		};
	};
	return {
		directory,
		authority,
		copy(from, name) {
			copyFileSync(from, file(name));
			return file(name);
		},
		[Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
	};
}
