"""Lists of lists at the boundary: a list that stands in several places stays one list, in and out."""

import gc
import sys
import threading

import pytest

import pydd

SOURCE = """
def total(rows: List(List(float))):
    t = 0.0
    for row in rows:
        t += sum(row)
    return t


def put(rows: List(List(int)), i: int, j: int, x: int):
    rows[i][j] = x
    return rows


def both(a: List(List(int)), b: List(List(int)), row: List(int)):
    before = len(b)
    a.append([5])
    row.append(9)
    a[0].append(6)
    return before, len(b), len(b[0]), len(row)


def second(a: List(List(int)), b: List(List(int)), i: int):
    b.append([5])
    b[0] = [6]
    b[1].append(7)
    return a[i]


def move(rows: List(List(int)), i: int):
    row = rows.pop(i)
    rows.insert(0, row)
    rows.append([i])
    rows.append(rows[-1])
    return row, rows[-1]


def doubled(rows: List(List(int))):
    return rows + rows


def weigh(near: List(List(Tuple(int, float)))):
    near[0].append((7, 0.5))
    near.append(near[0])
    return near, near[1]


def deep(cube: List(List(List(int)))):
    cube[0][0].append(1)
    cube[0].append(cube[1][0])
    cube.reverse()


def change_and_fail(rows: List(List(int)), i: int):
    rows[0].append(4)
    rows.append([8])
    return rows[i]


def empty(rows: List(List(int))):
    kept = rows[0]
    rows.clear()
    return len(kept)


def put_and_grown(p: List(int), q: List(int)):
    rows = [p]
    q.append(5)
    return rows[0][-1], len(rows[0])


def made(n: int):
    return [[i] * i for i in range(n)]
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists_of_lists") / "lists_of_lists.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


def test_only_what_changed_is_new(kernels):
    rows = [[1000, 2000], [3000]]
    first, second, item = rows[0], rows[1], rows[0][0]
    assert kernels.put(rows, 0, 1, 5) is rows
    assert rows == [[1000, 5], [3000]]
    assert rows[0] is first and rows[1] is second and rows[0][0] is item


def test_one_list_in_several_places(kernels):
    row = [1]
    rows = [row, row]
    kernels.put(rows, 0, 0, 7)
    assert rows == [[7], [7]] and rows[0] is rows[1] is row


def test_parameters_that_share_lists(kernels):
    rows = [[1], [2]]
    assert kernels.both(rows, rows, rows[0]) == (2, 3, 3, 3)
    assert rows == [[1, 9, 6], [2], [5]]
    row = [4]
    assert kernels.both([row], [[3]], row) == (1, 1, 1, 3)
    assert row == [4, 9, 6]


def test_a_list_that_is_put_into_one_and_is_another_parameter(kernels):
    row = [1, 2]
    assert kernels.put_and_grown(row, row) == (5, 3) and row == [1, 2, 5]
    assert kernels.put_and_grown([1], [2]) == (1, 1)


def test_only_the_second_parameter_of_one_list_is_written(kernels):
    row = [2]
    rows = [[1], row]
    assert kernels.second(rows, rows, 2) == [5]
    assert rows == [[6], [2, 7], [5]] and rows[1] is row
    with pytest.raises(IndexError):
        kernels.second(rows, rows, 9)
    assert rows == [[6], [2, 7, 7], [5], [5]]
    other = [[1], [2]]
    assert kernels.second(other, rows, 0) == [1]
    assert other == [[1], [2]] and rows[1] == [2, 7, 7, 7]


def test_lists_move_as_what_they_are(kernels):
    rows = [[1], [2], [3]]
    last = rows[2]
    taken, new = kernels.move(rows, 2)
    assert taken is last and rows == [[3], [1], [2], [2], [2]]
    assert rows[0] is last and rows[3] is rows[4] is not rows[2]
    assert new == [2]


def test_results_hold_the_callers_lists(kernels):
    rows = [[1], [2]]
    result = kernels.doubled(rows)
    assert result == rows + rows and result is not rows
    assert all(a is b for a, b in zip(result, rows + rows, strict=True))


def test_lists_of_lists_of_tuples(kernels):
    near = [[(1, 0.5)], []]
    first, second = near
    result, row = kernels.weigh(near)
    assert result is near and row is second
    assert near == [[(1, 0.5), (7, 0.5)], [], [(1, 0.5), (7, 0.5)]] and near[2] is near[0] is first


def test_three_deep(kernels):
    cube = [[[0]], [[5], [6]]]
    plane, row = cube[0], cube[1][0]
    kernels.deep(cube)
    assert cube == [[[5], [6]], [[0, 1], [5]]]
    assert cube[1] is plane and plane[1] is row


def test_an_exception_keeps_what_was_changed(kernels):
    rows = [[1], [2]]
    with pytest.raises(IndexError):
        kernels.change_and_fail(rows, 5)
    assert rows == [[1, 4], [2], [8]]


def test_what_is_refused(kernels):
    with pytest.raises(TypeError, match="must be a list of lists, got tuple"):
        kernels.total(([1.0],))
    with pytest.raises(TypeError, match=r"item 1 of argument 'rows' of total\(\) must be a list, got int"):
        kernels.total([[1.0], 2])
    with pytest.raises(TypeError, match=r"item 0 of argument 'rows' of total\(\) must be"):
        kernels.total([["a"]])
    with pytest.raises(TypeError, match="must be a list of tuples"):
        kernels.weigh([(1, 2.0)])


def test_items_are_converted(kernels):
    assert kernels.total([[1, 2.5], [], [True]]) == 4.5
    assert kernels.total([]) == 0.0


def test_an_item_that_changes_the_lists(kernels):
    rows = [[0.0], [1.0], [2.0]]

    class Item:
        def __float__(self):
            rows.pop()
            return 0.5

    rows[0][0] = Item()
    assert kernels.total(rows) == 1.5


def test_nothing_leaks(kernels):
    rows = [[1], [2]]
    inner = rows[0]
    before = sys.getrefcount(inner)
    for _ in range(100):
        kernels.put(rows, 0, 0, 3)
        kernels.doubled(rows)
        with pytest.raises(IndexError):
            kernels.put(rows, 9, 0, 3)
    gc.collect()
    assert sys.getrefcount(inner) == before
    assert kernels.empty(rows) == 1 and rows == []
    assert sys.getrefcount(inner) == before - 1


def test_many_rows_take_no_time_in_proportion_to_their_square(kernels):
    rows = [[i] for i in range(200_000)]
    result = kernels.doubled(rows)
    assert len(result) == 400_000 and result[200_001] is rows[1]


def test_many_threads(kernels):
    wrong = []

    def work(k):
        for i in range(50):
            rows = [[k], [i]]
            if kernels.made(k)[-1] != [k - 1] * (k - 1) or kernels.put(rows, 0, 0, i) != [[i], [i]]:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2, 8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
