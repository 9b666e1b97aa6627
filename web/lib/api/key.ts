/** The visitor's API key, stored for the tab or in the browser. It is sent to this origin only, in a header. */
import { useEffect, useState } from "preact/hooks";

export interface StoredKey {
	key: string;
	/** Whether the key is stored beyond the lifetime of the tab. */
	isPersistent: boolean;
}

const name = "api-key";
const shape = /^pk_[0-9A-Za-z]{38}$/;
/** Event that is dispatched in this tab when the key changes; the browser notifies other tabs with `storage` events. */
const changed = "key-changed";

export const isKey = (text: string): boolean => shape.test(text);

/** Abbreviates the key, so that it can be recognized but is not revealed. */
export const hintOf = (key: string): string => `${key.slice(0, 7)}…${key.slice(-4)}`;

export function storedKey(): StoredKey | undefined {
	for (const isPersistent of [false, true]) {
		const key = storage(isPersistent)?.getItem(name) ?? "";
		if (isKey(key)) return { key, isPersistent };
	}
	return undefined;
}

export function storeKey({ key, isPersistent }: StoredKey): void {
	storage(!isPersistent)?.removeItem(name);
	storage(isPersistent)?.setItem(name, key);
	dispatchEvent(new Event(changed));
}

export function removeKey(): void {
	for (const isPersistent of [false, true]) storage(isPersistent)?.removeItem(name);
	dispatchEvent(new Event(changed));
}

/** The storage of the tab or of the browser; undefined if the browser denies access. */
function storage(isPersistent: boolean): Storage | undefined {
	try {
		return isPersistent ? localStorage : sessionStorage;
	} catch {
		return undefined;
	}
}

export function useKey(): StoredKey | undefined {
	const [stored, setStored] = useState(storedKey);
	useEffect(() => {
		const read = () => setStored(storedKey());
		for (const type of [changed, "storage"]) addEventListener(type, read);
		return () => {
			for (const type of [changed, "storage"]) removeEventListener(type, read);
		};
	}, []);
	return stored;
}
