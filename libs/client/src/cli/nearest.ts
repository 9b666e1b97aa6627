/** The package contains a copy of the imported file, and no other code of the contract. */
export { nearestWords } from "../../../contract/did-you-mean.ts";
