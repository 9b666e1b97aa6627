/** Compares the parts of a request in two lists to derive what it adds to an operating plant. Pure. */
import { standardTechnology } from "../sources/technology.ts";

/** As stored in `components`. */
export interface PlantPart {
	type_std: string;
	capacity_mw: number | null;
}

/** Both are null if no added part is identified; `mw` is also null if an added part has no capacity. */
export interface Addition {
	type: string | null;
	mw: number | null;
}

/** A part is added if the plant did not have its technology, or if `known` lists the technology ("Solar + Storage"). */
export function additionTo(
	oldParts: readonly PlantPart[],
	newParts: readonly PlantPart[],
	known: string | null,
): Addition {
	const knownTypes = known?.split(" + ") ?? [];
	const isAdded = ({ type_std: type }: PlantPart) =>
		knownTypes.includes(type) || !oldParts.some((part) => part.type_std === type);
	const added = newParts.filter(isAdded);
	if (added.length === 0) return { type: null, mw: null };
	const mw = added.some((part) => part.capacity_mw === null)
		? null
		: Math.round(added.reduce((sum, part) => sum + (part.capacity_mw ?? 0), 0) * 1000) / 1000;
	return { type: standardTechnology(added.map((part) => part.type_std).join("; ")).typeStd, mw };
}
