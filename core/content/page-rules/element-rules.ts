import { isPlainObject } from '../../api/schema.ts';
import type { Place } from './place.ts';
import { checkValue, type Tell } from './value-rules.ts';
import type { PageRules } from './widget-words.ts';

/** An element of a page, whatever it lacks. */
export type PageElement = Readonly<Record<string, unknown>>;

/** Where an element stands: `parent` is null at the top. */
export interface Standing {
  readonly element: PageElement;
  readonly place: Place;
  readonly parent: PageElement | null;
}

/** Rules that look beyond one element. */
export interface PageMemory {
  readonly ids: Set<string>;
  readonly rules: PageRules;
  readonly tell: Tell;
}

const idForm = /^[a-z0-9]{6,12}$/;
const widgetForm = /^[a-z0-9_-]{1,64}$/;
const kinds: ReadonlySet<unknown> = new Set(['container', 'section', 'column', 'widget']);
const keys = ['id', 'elType', 'settings', 'elements'];

const inside = (place: Place, key: string): Place => ({ above: place, key });

/** Every rule about one element and how it stands in its parent. */
export function checkElement(standing: Standing, memory: PageMemory): void {
  const { element, place } = standing;
  const { tell } = memory;
  const absent = keys.filter((key) => !Object.hasOwn(element, key));
  if (absent.length > 0) tell('pb_element', 'error', place, `The element lacks ${absent.join(', ')}.`);
  else if (!Array.isArray(element.elements)) {
    tell('pb_element', 'error', inside(place, 'elements'), 'The elements of an element are an array.');
  }
  checkId(standing, memory);
  if (Object.hasOwn(element, 'elType')) {
    if (kinds.has(element.elType)) checkNesting(standing, memory);
    else
      tell('pb_eltype', 'error', inside(place, 'elType'), 'Is none of container, section, column, widget.');
  }
  checkWidgetType(standing, memory);
  checkSettings(standing, tell);
  const mayScript = element.elType === 'widget' && element.widgetType === 'html';
  for (const [key, value] of Object.entries(element)) {
    if (key === 'elements' && Array.isArray(value)) continue;
    const quiet = mayScript || element.elType !== 'widget' || key !== 'settings';
    checkValue(value, inside(place, key), { mayScript: quiet, isFile: memory.rules.isFile, tell });
  }
}

function checkId({ element, place }: Standing, { ids, tell }: PageMemory): void {
  if (!Object.hasOwn(element, 'id')) return;
  const { id } = element;
  if (typeof id !== 'string' || !idForm.test(id)) {
    tell('pb_id', 'error', inside(place, 'id'), 'An id has 6 to 12 lower-case letters and digits.');
  }
  if (typeof id !== 'string') return;
  if (ids.has(id)) tell('pb_id_duplicate', 'error', inside(place, 'id'), 'An element before has this id.');
  ids.add(id);
}

/** What is wrong with an element of this kind at its place; null when nothing is. */
function misplaced({ element, parent }: Standing, { rules }: PageMemory): string | null {
  const kind = element.elType;
  if (!parent) {
    return kind === 'container' || kind === 'section'
      ? null
      : 'Stands at the top: only containers and sections may.';
  }
  if (parent.elType === 'section' && kind !== 'column')
    return 'Stands in a section, which holds columns only.';
  if (parent.elType === 'column') {
    const fits =
      kind === 'widget' || kind === 'container' || (kind === 'section' && element.isInner === true);
    return fits ? null : 'Stands in a column, which holds widgets, containers and inner sections.';
  }
  if (parent.elType === 'container' && (kind === 'section' || kind === 'column')) {
    return 'Stands in a container, which holds no sections and columns.';
  }
  const nests = parent.elType === 'widget' && rules.nested.includes(String(parent.widgetType));
  return nests && kind !== 'container' ? 'Stands in a widget that holds containers only.' : null;
}

function checkNesting(standing: Standing, memory: PageMemory): void {
  const { element, place } = standing;
  const fault = misplaced(standing, memory);
  if (fault !== null) memory.tell('pb_nesting', 'error', place, fault);
  const holds = Array.isArray(element.elements) && element.elements.length > 0;
  if (element.elType === 'widget' && holds && !memory.rules.nested.includes(String(element.widgetType))) {
    memory.tell('pb_nesting', 'error', inside(place, 'elements'), 'This widget holds no elements.');
  }
}

function checkWidgetType({ element, place }: Standing, { rules, tell }: PageMemory): void {
  const type = element.widgetType ?? null;
  if (element.elType !== 'widget') {
    if (type !== null && kinds.has(element.elType)) {
      tell('pb_widget_type', 'error', inside(place, 'widgetType'), 'Only a widget has a widgetType.');
    }
    return;
  }
  if (typeof type !== 'string' || !widgetForm.test(type)) {
    const at = Object.hasOwn(element, 'widgetType') ? inside(place, 'widgetType') : place;
    tell(
      'pb_widget_type',
      'error',
      at,
      'A widget has a widgetType of lower-case letters, digits, "_" and "-".',
    );
  } else if (!rules.known.includes(type)) {
    tell('pb_widget_unknown', 'warning', inside(place, 'widgetType'), 'The site knows no such widget.');
  }
}

function checkSettings({ element, place }: Standing, tell: Tell): void {
  const { settings } = element;
  if (!Object.hasOwn(element, 'settings')) return;
  const at = inside(place, 'settings');
  if (!isPlainObject(settings) && !(Array.isArray(settings) && settings.length === 0)) {
    return tell('pb_settings', 'error', at, 'Settings are an object, or [] for none.');
  }
  if (element.elType !== 'widget' || element.widgetType !== 'image') return;
  const image = isPlainObject(settings) ? settings.image : null;
  const alt = isPlainObject(image) ? image.alt : null;
  if (typeof alt !== 'string' || alt.trim() === '') {
    tell('pb_image_alt', 'warning', at, 'The image has no text for those who do not see it.');
  }
}
